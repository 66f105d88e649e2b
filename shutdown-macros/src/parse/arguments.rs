//! The list in an attribute's parentheses: `key`, `key = value`, `key(list)`, separated by commas.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token, Type, bracketed, parenthesized, token};

use crate::diag::{Problem, Problems, list, nearest};
use crate::names::Key;
use crate::parse::unwrap_group;
use crate::runtime_path::RuntimePath;

/// One argument.
#[derive(Debug)]
pub(crate) struct Argument {
    /// Its key, as it was written.
    pub(crate) key: Ident,
    /// What follows it.
    pub(crate) value: Value,
}

/// What follows a key.
#[derive(Debug)]
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// `= expression`
    Expr(Expr),
    /// `= path`, of `crate`.
    Path(Path),
    /// `= Type` or `= [Type, ...]`, of `after` and `before`; `(Type, ...)` of `uses`.
    Types(Vec<Type>),
}

/// The arguments of one attribute, from which the model takes what it knows.
#[derive(Debug)]
pub(crate) struct Arguments {
    attribute: &'static str,
    keys: &'static [Key],
    found: Vec<Argument>,
}

impl Arguments {
    /// Reads what stands in the parentheses of `attribute`.
    pub(crate) fn parse(
        attribute: &'static str,
        keys: &'static [Key],
        tokens: TokenStream,
        problems: &mut Problems,
    ) -> Self {
        let mut malformed = Vec::new();
        let found = (|input: ParseStream<'_>| all(input, &mut malformed)).parse2(tokens);
        malformed.extend(found.as_ref().err().cloned());
        for error in malformed {
            problems.push_syntax(&error, &format!("`{attribute}` takes {}", examples(keys)));
        }
        let found = found.unwrap_or_default();
        let mut arguments = Self { attribute, keys, found };
        arguments.refuse_unknown(problems);
        arguments.refuse_duplicates(problems);
        arguments
    }

    /// Whether this key is still in the list.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.found.iter().any(|argument| argument.key == key)
    }

    /// Takes the argument with this key out of the list.
    pub(crate) fn take(&mut self, key: &str) -> Option<Argument> {
        let at = self.found.iter().position(|argument| argument.key == key)?;
        Some(self.found.remove(at))
    }

    /// Takes the expression that `key` was given.
    pub(crate) fn take_expr(&mut self, key: &str, problems: &mut Problems) -> Option<(Ident, Expr)> {
        let argument = self.take(key)?;
        match argument.value {
            Value::Expr(expr) => Some((argument.key, expr)),
            _ => self.refuse_form(&argument.key, problems),
        }
    }

    /// Takes a word in quotes, one of `words`; gives its place among them.
    pub(crate) fn take_word(
        &mut self,
        key: &str,
        words: &[&str],
        problems: &mut Problems,
    ) -> Option<(Ident, usize)> {
        let (key, expr) = self.take_expr(key, problems)?;
        let expr = unwrap_group(&expr);
        let written = string(expr).map(LitStr::value);
        let place = written.as_deref().and_then(|written| words.iter().position(|word| *word == written));
        if let Some(place) = place {
            return Some((key, place));
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let near = written.as_deref().and_then(|written| nearest(written, words.iter().copied()));
        let help = match near {
            Some(word) => format!("did you mean `{key} = \"{word}\"`? It takes {}", quoted.join(", ")),
            None => format!("`{key}` takes {}", quoted.join(", ")),
        };
        problems.push(Problem::at(expr, "bad-value", format!("`{key}` knows no such value")).help(help));
        None
    }

    /// Takes a list of types: of `uses`, `after`, `before`.
    pub(crate) fn take_types(&mut self, key: &str, problems: &mut Problems) -> Option<(Ident, Vec<Type>)> {
        let argument = self.take(key)?;
        match argument.value {
            Value::Types(types) => Some((argument.key, types)),
            _ => self.refuse_form(&argument.key, problems),
        }
    }

    /// Takes a word that stands alone.
    pub(crate) fn take_flag(&mut self, key: &str, problems: &mut Problems) -> Option<Ident> {
        let argument = self.take(key)?;
        match argument.value {
            Value::Flag => Some(argument.key),
            _ => self.refuse_form(&argument.key, problems),
        }
    }

    /// Takes `crate = path`.
    pub(crate) fn take_crate(&mut self) -> RuntimePath {
        RuntimePath::new(self.take("crate").and_then(|argument| match argument.value {
            Value::Path(path) => Some(path),
            _ => None,
        }))
    }

    fn refuse_form<T>(&self, key: &Ident, problems: &mut Problems) -> Option<T> {
        let example = self.keys.iter().find(|known| key == known.name).map_or("", |known| known.example);
        let problem = Problem::at(key, "bad-value", format!("`{key}` is not written that way"));
        problems.push(problem.help(format!("write `{example}`")));
        None
    }

    fn refuse_unknown(&mut self, problems: &mut Problems) {
        let (attribute, keys) = (self.attribute, self.keys);
        self.found.retain(|argument| {
            let key = argument.key.to_string();
            match keys.iter().find(|known| known.name == key) {
                Some(known) if known.built => return true,
                Some(_) => {
                    let what = format!(
                        "`{key}` is not built yet: this version of `#[{attribute}]` cannot keep its promise"
                    );
                    problems
                        .push(Problem::at(&argument.key, "not-yet", what).help(format!("leave `{key}` out")));
                }
                None => {
                    let known = || keys.iter().filter(|known| known.built).map(|known| known.name);
                    let help = match nearest(&key, known()).or_else(|| synonym(&key, keys)) {
                        Some(near) => format!("did you mean `{near}`? It takes {}", list(known())),
                        None => format!("it takes {}", list(known())),
                    };
                    let what = format!("`#[{attribute}]` has no key `{key}`");
                    problems.push(Problem::at(&argument.key, "unknown-key", what).help(help));
                }
            }
            false
        });
    }

    fn refuse_duplicates(&mut self, problems: &mut Problems) {
        let mut seen: Vec<Ident> = Vec::new();
        self.found.retain(|argument| {
            let first = !seen.contains(&argument.key);
            if first {
                seen.push(argument.key.clone());
            } else {
                let what = format!("`{}` is written twice", argument.key);
                problems.push(Problem::at(&argument.key, "duplicate-key", what).help("keep one of the two"));
            }
            first
        });
    }
}

/// Words that other tools use for one of our keys.
fn synonym(key: &str, keys: &[Key]) -> Option<&'static str> {
    let ours = match key {
        "timeout" | "deadline" | "grace" | "grace_period" | "limit" | "total" => "budget",
        "interval" | "period" | "tick" => "every",
        "depends_on" | "requires" => "after",
        "prestop" | "pre_stop_delay" => "pre_stop",
        "name" | "rename" => "type",
        "on_close" | "drop" | "shutdown" => "close",
        "threads" | "workers" => "worker_threads",
        _ => return None,
    };
    keys.iter().find(|known| known.name == ours && known.built).map(|known| known.name)
}

fn examples(keys: &[Key]) -> String {
    let examples: Vec<&str> = keys.iter().filter(|key| key.built).map(|key| key.example).collect();
    list(examples)
}

/// The string literal that an expression is.
pub(crate) fn string(expr: &Expr) -> Option<&LitStr> {
    match unwrap_group(expr) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// All arguments; after one that is malformed it goes on behind the next comma.
fn all(input: ParseStream<'_>, malformed: &mut Vec<syn::Error>) -> syn::Result<Vec<Argument>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        let ahead = input.fork();
        match argument(&ahead) {
            Ok(argument) => {
                input.advance_to(&ahead);
                found.push(argument);
            }
            Err(error) => malformed.push(error),
        }
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<TokenTree>()?;
        }
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(found)
}

fn argument(input: ParseStream<'_>) -> syn::Result<Argument> {
    let key = input.call(Ident::parse_any)?;
    let value = if input.is_empty() || input.peek(Token![,]) {
        Value::Flag
    } else if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        Value::Types(Punctuated::<Type, Token![,]>::parse_terminated(&content)?.into_iter().collect())
    } else {
        input.parse::<Token![=]>()?;
        match key.to_string().as_str() {
            "after" | "before" => Value::Types(types(input)?),
            "crate" => Value::Path(input.call(Path::parse_mod_style)?),
            _ => Value::Expr(input.parse()?),
        }
    };
    if input.is_empty() || input.peek(Token![,]) {
        Ok(Argument { key, value })
    } else {
        Err(input.error("expected `,` here"))
    }
}

fn types(input: ParseStream<'_>) -> syn::Result<Vec<Type>> {
    if !input.peek(token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let content;
    bracketed!(content in input);
    Ok(Punctuated::<Type, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}
