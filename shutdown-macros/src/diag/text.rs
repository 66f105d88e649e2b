//! The user's tokens as text for messages, spaced as people write them.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// `& Db` as `&Db`, `Vec < Lease < Db > >` as `Vec<Lease<Db>>`, without `r#`.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut out = String::new();
    write(tokens.to_token_stream(), &mut out);
    out
}

fn write(tokens: TokenStream, out: &mut String) {
    let mut joint = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                out.push_str(open);
                write(group.stream(), out);
                out.push_str(close);
                joint = false;
            }
            TokenTree::Punct(punct) => {
                let sign = punct.as_char();
                let binary = matches!(sign, '+' | '=') || (sign == '-' && punct.spacing() == Spacing::Joint);
                if binary && !joint && !out.ends_with(' ') {
                    out.push(' ');
                }
                out.push(sign);
                joint = punct.spacing() == Spacing::Joint;
                let arrow = sign == '>' && out.ends_with("->");
                if matches!(sign, ',' | ';' | '+') || (sign == '=' && !joint) || arrow {
                    out.push(' ');
                }
            }
            TokenTree::Ident(ident) => word(&ident.to_string(), out, &mut joint),
            TokenTree::Literal(literal) => word(&literal.to_string(), out, &mut joint),
        }
    }
    let trimmed = out.trim_end().len();
    out.truncate(trimmed);
}

fn word(text: &str, out: &mut String, joint: &mut bool) {
    // A lifetime's name follows its apostrophe at once, and is itself followed by a space.
    let after_word = out.chars().next_back().is_some_and(|last| last.is_alphanumeric() || last == '_');
    if after_word {
        out.push(' ');
    }
    out.push_str(text.strip_prefix("r#").unwrap_or(text));
    *joint = false;
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn spaced_as_people_write() {
        for written in [
            "&Db",
            "&mut Vec<Lease<Db>>",
            "Arc<dyn Fn(u8) -> u8 + Send>",
            "HashMap<String, [u8; 4]>",
            "a::b::C",
            "&'static str",
            "Box<dyn Iterator<Item = u8>>",
        ] {
            let ty: syn::Type = syn::parse_str(written).expect("a type");
            assert_eq!(text(&ty), written);
        }
    }
}
