use super::Macro::{Hook, Main, Plan, Resource, Task, Uses};
use super::{run, tokens};

/// Names that a user's module may give to something else: they may stand only behind `::`.
const BANNED: &[&str] =
    &["std", "core", "shutdown_runtime", "Option", "Some", "None", "Result", "Ok", "Vec", "Box", "Send"];

#[test]
fn every_path_is_absolute() {
    let outputs = [
        run(Task, "every = \"1s\"", "async fn relay(db: &Db, app: App<Inner>, seen: &mut Seen) {}"),
        run(Task, "uses(A)", "async fn relay(app: App, stop: Shutdown) -> ! { return }"),
        run(Hook, "", "async fn leave() {}"),
        run(Resource, "", "struct Db { other: Lease<Other> }"),
        run(Resource, "close = close_db", "struct Db;"),
        run(
            Plan,
            "budget = \"60s\"",
            "struct Service { #[cfg(a)] a: relay, #[phase(budget = \"1s\")] b: other }",
        ),
        run(Plan, "part", "struct Workers { a: relay }"),
        run(Main, "worker_threads = 2", "async fn main() -> Plan { body }"),
        run(Uses, "", "struct App { db: Lease<Db> }"),
    ];
    for output in outputs {
        let flat = crate::model::generics::flatten(output.into_tokens());
        let texts: Vec<String> = flat.iter().map(ToString::to_string).collect();
        for (at, text) in texts.iter().enumerate() {
            if BANNED.contains(&text.as_str()) {
                assert_eq!(
                    texts.get(at.wrapping_sub(1)).map(String::as_str),
                    Some(":"),
                    "`{text}` in {}",
                    texts.join(" ")
                );
            }
        }
    }
}

#[test]
fn a_renamed_crate_is_the_only_one_named() {
    let outputs = [
        run(Task, "every = \"1s\", crate = drain", "async fn relay(db: &Db, app: App) {}"),
        run(Resource, "crate = drain", "struct Db { other: Lease<Other> }"),
        run(Plan, "budget = \"60s\", crate = drain", "struct Service { a: relay }"),
        run(Main, "crate = drain", "async fn main() -> Plan { body }"),
        run(Uses, "", "#[uses(crate = drain)] struct App { db: Lease<Db> }"),
    ];
    for output in outputs {
        let text = output.into_tokens().to_string();
        assert!(text.contains("drain") && !text.contains("shutdown_runtime"), "{text}");
    }
}

#[test]
fn items_at_different_places_have_different_seeds() {
    let source = tokens("relay relay");
    let seeds: Vec<u64> = source
        .into_iter()
        .filter_map(|token| match token {
            proc_macro2::TokenTree::Ident(ident) => Some(crate::model::seed(&ident)),
            _ => None,
        })
        .collect();
    assert_eq!(seeds.len(), 2);
    assert_ne!(seeds.first(), seeds.last());
}

#[test]
fn docs_stay_and_instrument_goes_to_the_body() {
    let outcome =
        run(Task, "every = \"1s\"", "#[doc = \"Relays.\"] #[tracing::instrument] pub async fn relay() {}");
    let file: syn::File = syn::parse2(outcome.tokens).expect("the expansion parses");
    let text = prettyplease::unparse(&file);
    let constructor = text.find("pub fn relay()").expect("the constructor");
    let docs = text.find("Relays.").expect("the docs");
    let instrument = text.find("tracing::instrument").expect("the other attribute");
    assert!(docs < constructor && constructor < instrument, "{text}");
    assert!(text.contains("tracing::instrument(name = \"relay\""), "the span is not called `body`: {text}");
}
