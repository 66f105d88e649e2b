use super::Macro::{Resource, Uses};
use super::{accepted, refused, run};

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
    refused(Resource, CLOSE, "union Db { a: u8 }", &["not-a-struct: union Db"]);
    refused(Resource, CLOSE, "impl Db {}", &["not-a-struct: impl Db"]);
    refused(Resource, CLOSE, "pub(crate) type Db = u8;", &["not-a-struct: type Db"]);
    refused(Resource, CLOSE, "struct Db<T>(T);", &["generic-resource: <T>"]);
    refused(
        Resource,
        CLOSE,
        "struct Db<'a, const N: usize>(&'a [u8; N]);",
        &["generic-resource: <'a, const N: usize>"],
    );
    refused(Resource, "close = a, close = b", "struct Db;", &["duplicate-key: close"]);
    refused(Resource, "uses(A), uses(B)", "struct Db;", &["duplicate-key: uses"]);
    refused(Resource, "budget = \"0s\"", "struct Db;", &["zero-duration: \"0s\""]);
    refused(Resource, "budget = 5", "struct Db;", &["bad-duration: 5"]);
    refused(Resource, "close", "struct Db;", &["bad-value: close"]);
    refused(Resource, "close = |a, b, c| ()", "struct Db;", &["bad-value: |a, b, c| ()"]);
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
    refused(Uses, "", "struct App { next: (u8, Option<Box<Self>>) }", &["recursive-uses: Self"]);
    refused(Uses, "", "struct App<T>([Box<App<T>>; 2]);", &["recursive-uses: App"]);
    refused(
        Uses,
        "",
        "struct App { a: Box<App>, b: Vec<App> }",
        &["recursive-uses: App", "recursive-uses: App"],
    );
    accepted(Uses, "", "struct App { other: other::App }");
    refused(Uses, "", "enum App { A }", &["not-a-struct: enum App"]);
    refused(Uses, "", "#[uses(Db)] struct App;", &["unknown-key: Db"]);
}

#[test]
fn fields_of_a_tuple_move_up_where_one_before_them_is_compiled_out() {
    let text = run(Resource, CLOSE, "struct Db(#[cfg(unix)] u8, #[cfg(test)] Lease<A>, Lease<B>);")
        .into_tokens()
        .to_string();
    let text = text.replace(' ', "");
    for place in [
        "#[cfg(test)]#[cfg(all(not(all(unix))))]{",
        "#[cfg(all(not(all(unix)),not(all(test))))]{",
        "#[cfg(all(all(unix),not(all(test))))]{",
        "#[cfg(all(not(all(unix)),all(test)))]{",
        "#[cfg(all(all(unix),all(test)))]{",
    ] {
        assert!(text.contains(place), "{place}: {text}");
    }
    let field = "#[cfg(unix)] u8,";
    accepted(Resource, CLOSE, &format!("struct Db({} Lease<A>);", field.repeat(4)));
    refused(
        Resource,
        CLOSE,
        &format!("struct Db({} Lease<A>);", field.repeat(5)),
        &["too-many-conditions: #[cfg(unix)]"],
    );
    let named =
        "#[cfg(unix)] a: u8, #[cfg(unix)] b: u8, #[cfg(unix)] c: u8, #[cfg(unix)] d: u8, #[cfg(unix)] e: u8,";
    accepted(Resource, CLOSE, &format!("struct Db {{ {named} f: Lease<A> }}"));
}
