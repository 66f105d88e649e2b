use super::Macro::{Resource, Uses};
use super::{accepted, refused};

const CLOSE: &str = "close = close_db";

#[test]
fn resources() {
    accepted(Resource, CLOSE, "pub struct Db(PgPool);");
    accepted(Resource, "", "struct Db;");
    accepted(
        Resource,
        "close = async |db: &Db, closing| {}, budget = \"5s\", uses(A)",
        "struct Db { a: Lease<A> }",
    );
    refused(Resource, CLOSE, "enum Db { A }", &["not-a-struct: enum Db"]);
    refused(Resource, CLOSE, "async fn db() {}", &["not-a-struct: async fn"]);
    refused(Resource, CLOSE, "struct Db<T>(T);", &["generic-resource: <T>"]);
    refused(Resource, "close = \"close_db\"", "struct Db;", &["bad-value: \"close_db\""]);
    refused(Resource, "close = || ()", "struct Db;", &["bad-value: || ()"]);
    refused(Resource, "clsoe = close_db", "struct Db;", &["unknown-key: clsoe"]);
    refused(Resource, CLOSE, "struct Db(Option<Box<Db>>);", &["recursive-uses: Db"]);
    refused(Resource, CLOSE, "#[shutdown_order(before = Db)] struct Db;", &["self-order: Db"]);
}

#[test]
fn holders() {
    accepted(
        Uses,
        "",
        "struct App<S: Unpin> where S: Send { db: Lease<Db>, other: S, #[cfg(any())] gone: u8 }",
    );
    accepted(Uses, "", "#[uses(crate = x)] struct App;");
    refused(Uses, "", "struct App { next: Vec<App> }", &["recursive-uses: App"]);
    refused(Uses, "", "enum App { A }", &["not-a-struct: enum App"]);
    refused(Uses, "", "#[uses(Db)] struct App;", &["unknown-key: Db"]);
}
