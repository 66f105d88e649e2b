//! The entry points take any tokens: no panic, and what comes out parses or is the input beside an error.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::model::task::FnKind;
use crate::pipeline;

/// xorshift: the same inputs in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap_or_default()
    }
}

const WORDS: &[&str] = &[
    "async",
    "fn",
    "struct",
    "enum",
    "impl",
    "pub",
    "budget",
    "every",
    "stop",
    "uses",
    "after",
    "before",
    "crate",
    "close",
    "part",
    "self",
    "Self",
    "relay",
    "Db",
    "Shutdown",
    "Lease",
    "mut",
    "dyn",
    "where",
    "loop",
    "await",
    "for",
    "type",
    "cfg",
    "cfg_attr",
    "shutdown_order",
    "phase",
    "derive",
    "main",
    "__shutdown_order_rotated",
    "const",
    "unsafe",
    "static",
    "_",
];
const SIGNS: &[char] = &['#', '=', ',', '<', '>', ':', '&', '-', '!', ';', '|', '.', '?', '*', '+'];

fn arbitrary(random: &mut Random, depth: usize) -> TokenStream {
    let length = random.below(7);
    (0..length).map(|_| arbitrary_token(random, depth)).collect()
}

fn arbitrary_token(random: &mut Random, depth: usize) -> TokenTree {
    let span = Span::call_site();
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0..=3 => Ident::new(WORDS.get(random.below(WORDS.len())).unwrap_or(&"a"), span).into(),
        4 | 5 => {
            let sign = SIGNS.get(random.below(SIGNS.len())).copied().unwrap_or(',');
            let spacing = if random.below(2) == 0 { Spacing::Joint } else { Spacing::Alone };
            Punct::new(sign, spacing).into()
        }
        6 => Literal::string(["1s", "0s", "", "log", "drop"].get(random.below(5)).unwrap_or(&"")).into(),
        _ => {
            let delimiter = match random.below(4) {
                0 => Delimiter::Parenthesis,
                1 => Delimiter::Brace,
                2 => Delimiter::Bracket,
                _ => Delimiter::None,
            };
            Group::new(delimiter, arbitrary(random, depth - 1)).into()
        }
    }
}

/// Items that are nearly right, with a hole for arbitrary tokens.
fn nearly(random: &mut Random) -> TokenStream {
    let hole = arbitrary(random, 3);
    match random.below(7) {
        0 => quote::quote!(async fn relay(#hole) {}),
        1 => quote::quote!(async fn relay(db: &Db, shutdown: Shutdown) { #hole }),
        2 => quote::quote!(struct Service { a: relay, #hole b: Resource<Db> }),
        3 => quote::quote!(struct Db(#hole);),
        4 => quote::quote!(
            #[shutdown_order(#hole)]
            async fn relay(shutdown: Shutdown) {}
        ),
        5 => quote::quote!(
            struct Service {
                #[shutdown_order(#hole)]
                a: relay,
                #[cfg_attr(#hole)]
                b: c,
            }
        ),
        _ => hole,
    }
}

fn check(input: &TokenStream, output: TokenStream) {
    let text = output.to_string();
    let parses = syn::parse2::<syn::File>(output.clone()).is_ok();
    let verbatim = text.contains("compile_error") && text.contains(&input.to_string());
    // A body stays tokens, so an expansion around one that does not parse does not parse either.
    let body = syn::parse2::<syn::Item>(input.clone()).is_err();
    assert!(parses || verbatim || body, "from {input}\nto {text}");
    if let Some(lost) = lost(input, output) {
        panic!("`{lost}` of the item is lost, from {input}\nto {text}");
    }
}

/// A word of the item, outside its attributes, that the output has no more.
fn lost(input: &TokenStream, output: TokenStream) -> Option<String> {
    let mut kept: HashMap<String, usize> = HashMap::new();
    words(output, &mut |word| *kept.entry(word).or_default() += 1);
    let mut first = None;
    words(input.clone(), &mut |word| match kept.get_mut(&word) {
        Some(count) if *count > 0 => *count -= 1,
        _ => {
            first.get_or_insert(word);
        }
    });
    first
}

fn words(tokens: TokenStream, note: &mut impl FnMut(String)) {
    let mut after_hash = false;
    for token in tokens {
        let attribute = after_hash;
        after_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        match token {
            TokenTree::Group(group) if attribute && group.delimiter() == Delimiter::Bracket => {}
            TokenTree::Group(group) => words(group.stream(), note),
            TokenTree::Ident(ident) => note(ident.to_string()),
            TokenTree::Literal(literal) => note(literal.to_string()),
            TokenTree::Punct(_) => {}
        }
    }
}

/// A number from the environment: `FUZZ_ROUNDS`, each of which feeds the seven entry points once, and `FUZZ_SEED`.
fn number<N: std::str::FromStr>(variable: &str, otherwise: N) -> N {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn no_input_makes_a_macro_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ number("FUZZ_SEED", 0_u64));
    for _ in 0..number("FUZZ_ROUNDS", 2_000) {
        let (arguments, item) = (arbitrary(&mut random, 2), nearly(&mut random));
        for kind in [FnKind::Task, FnKind::Hook] {
            check(&item, pipeline::task(kind, arguments.clone(), item.clone()).into_tokens());
        }
        check(&item, pipeline::resource(arguments.clone(), item.clone()).into_tokens());
        check(&item, pipeline::plan(arguments.clone(), item.clone()).into_tokens());
        check(&item, pipeline::entry(arguments.clone(), item.clone()).into_tokens());
        check(&item, pipeline::order(&arguments, item.clone()).into_tokens());
        pipeline::derive_uses(&item).into_tokens();
    }
}
