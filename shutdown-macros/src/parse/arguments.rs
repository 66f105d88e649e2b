//! What stands in an attribute's parentheses, from which the model takes what it knows.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Type};

use crate::diag::text::text;
use crate::diag::{Problem, Problems, list, nearest};
use crate::names::Key;
use crate::parse::grammar::{Argument, Value, arguments};
use crate::parse::unwrap_group;
use crate::runtime_path::RuntimePath;

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
        let found = (|input: ParseStream<'_>| arguments(input, &mut malformed)).parse2(tokens);
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

    /// Whether the key stands there, in whatever form: what follows from a mistake in it is no mistake of its own.
    pub(crate) fn wrote(&self, key: &str) -> bool {
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
            value => self.refuse_form(&argument.key, &value, problems),
        }
    }

    /// Takes a word in quotes, one of `words`; gives its place among them. One that is misspelt is refused and taken
    /// for the nearest; one that is like none, for the word at the place `otherwise`.
    pub(crate) fn take_word(
        &mut self,
        key: &str,
        words: &[&str],
        otherwise: usize,
        problems: &mut Problems,
    ) -> Option<(Ident, usize)> {
        let written = self.found.iter().find(|argument| argument.key == key)?.key.clone();
        let Some((key, expr)) = self.take_expr(key, problems) else { return Some((written, otherwise)) };
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
        let near = near.and_then(|near| words.iter().position(|word| *word == near));
        Some((key, near.unwrap_or(otherwise)))
    }

    /// Takes a list of types: of `uses`, `after`, `before`.
    pub(crate) fn take_types(&mut self, key: &str, problems: &mut Problems) -> Option<(Ident, Vec<Type>)> {
        let argument = self.take(key)?;
        match argument.value {
            Value::Types(types) => Some((argument.key, types)),
            value => self.refuse_form(&argument.key, &value, problems),
        }
    }

    /// Takes a name.
    pub(crate) fn take_ident(&mut self, key: &str, problems: &mut Problems) -> Option<Ident> {
        let argument = self.take(key)?;
        let (ident, written) = match &argument.value {
            Value::Expr(expr) => match unwrap_group(expr) {
                Expr::Path(path) => (path.path.get_ident().cloned(), expr.to_token_stream()),
                _ => (None, expr.to_token_stream()),
            },
            Value::Types(types) if types.len() == 1 => {
                (None, types.iter().map(Type::to_token_stream).collect())
            }
            value => return self.refuse_form(&argument.key, value, problems),
        };
        let ident =
            ident.filter(|ident| !["Self", "self", "super", "crate"].iter().any(|word| ident == word));
        if ident.is_none() {
            let what = format!("`{key}` takes a name, not `{}`", text(&written));
            let help = format!("write `{key} = Name`, without quotes; the type has the function's generics");
            problems.push(Problem::at(&written, "bad-value", what).help(help));
        }
        ident
    }

    /// Takes a word that stands alone.
    pub(crate) fn take_flag(&mut self, key: &str, problems: &mut Problems) -> Option<Ident> {
        let argument = self.take(key)?;
        match argument.value {
            Value::Flag => Some(argument.key),
            value => {
                self.refuse_form::<()>(&argument.key, &value, problems);
                Some(argument.key)
            }
        }
    }

    /// Takes `crate = path`.
    pub(crate) fn take_crate(&mut self) -> RuntimePath {
        RuntimePath::new(self.take("crate").and_then(|argument| match argument.value {
            Value::Path(path) => Some(path),
            _ => None,
        }))
    }

    fn refuse_form<T>(&self, key: &Ident, value: &Value, problems: &mut Problems) -> Option<T> {
        if matches!(value, Value::Malformed) {
            return None;
        }
        let example = self.keys.iter().find(|known| key == known.name).map_or("", |known| known.example);
        let problem = Problem::at(key, "bad-value", format!("`{key}` is not written that way"));
        problems.push(problem.help(format!("write `{example}`")));
        None
    }

    /// A key that is not known is then taken for the one that it is near, so that nothing is said about its lack.
    fn refuse_unknown(&mut self, problems: &mut Problems) {
        let (attribute, keys) = (self.attribute, self.keys);
        let written: Vec<String> = self.found.iter().map(|argument| argument.key.to_string()).collect();
        self.found.retain_mut(|argument| {
            let key = argument.key.to_string();
            match keys.iter().find(|known| known.name == key) {
                Some(known) if known.built => return true,
                Some(_) => {
                    let what = format!("`#[{attribute}]` has `{key}` only with the feature `{key}`");
                    let help =
                        format!("write `features = [\"{key}\"]` for `shutdown-runtime` in `Cargo.toml`");
                    problems.push(Problem::at(&argument.key, "unknown-key", what).help(help));
                }
                None => {
                    let known = || keys.iter().filter(|known| known.built).map(|known| known.name);
                    let near = nearest(&key, known()).or_else(|| synonym(&key, keys));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`? It takes {}", list(known())),
                        None => format!("it takes {}", list(known())),
                    };
                    let what = format!("`#[{attribute}]` has no key `{key}`");
                    problems.push(Problem::at(&argument.key, "unknown-key", what).help(help));
                    if let Some(near) = near.filter(|near| !written.iter().any(|key| key == near)) {
                        *argument = argument.renamed(near);
                        return true;
                    }
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
