//! What a task may return beside what it is lent: errors that borrow, errors without a name, and nothing ever.
#![allow(clippy::unused_async, reason = "the suite is about signatures")]

use std::borrow::Cow;
use std::error::Error;

use shutdown_runtime::{Resource, Shutdown, background_task, resource, shutdown_plan};

#[resource(close = async |_: &Db| ())]
struct Db(u32);

#[background_task(every = "1s")]
async fn opaque(db: &Db) -> Result<(), impl Error + Send + Sync + 'static> {
    if db.0 == 0 { Err(std::fmt::Error) } else { Ok(()) }
}

#[background_task]
async fn opaque_once(db: &Db, shutdown: Shutdown) -> Result<(), impl Error + Send + Sync + 'static> {
    shutdown.requested().await;
    if db.0 == 0 { Err(std::fmt::Error) } else { Ok(()) }
}

#[background_task(every = "1s")]
async fn borrowed<'a>(db: &'a Db, text: &'a mut String) -> Result<(), &'a str> {
    text.push_str("zero");
    if db.0 == 0 { Err(text) } else { Ok(()) }
}

#[background_task(every = "1s")]
async fn hidden(db: &Db) -> Result<(), Cow<'_, str>> {
    if db.0 == 0 { Err(Cow::Borrowed("zero")) } else { Ok(()) }
}

#[background_task(every = "1s")]
async fn elided(text: &mut String) -> Result<(), &str> {
    text.push_str("always");
    Err(text)
}

#[background_task(every = "1s")]
async fn never(name: String) -> ! {
    panic!("{name}")
}

#[background_task]
async fn never_once<T: Clone + Send + Unpin + 'static>(_: T, db: &Db, shutdown: Shutdown) -> ! {
    shutdown.requested().await;
    panic!("{}", db.0)
}

#[shutdown_plan(budget = "60s")]
struct Service {
    tasks: (opaque, opaque_once, borrowed, hidden, elided, never, never_once<String>),
    storage: Resource<Db>,
}

#[test]
fn they_stand_in_a_plan() {
    let db = Resource::new(Db(1));
    let name = String::from("a name that is cloned for each iteration");
    let service = Service {
        tasks: (
            opaque(&db),
            opaque_once(&db),
            borrowed(&db, name.clone()),
            hidden(&db),
            elided(name.clone()),
            never(name.clone()),
            never_once(name, &db),
        ),
        storage: db,
    };
    drop(service);
}
