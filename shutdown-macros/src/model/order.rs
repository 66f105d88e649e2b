//! `#[shutdown_order]` on an item.

use quote::ToTokens as _;
use syn::{Attribute, Ident, Type};

use crate::diag::text::text;
use crate::diag::{Problem, Problems};
use crate::names::{ORDER_KEYS, ROTATED, SHUTDOWN_ORDER};
use crate::parse::arguments::Arguments;
use crate::parse::attributes::list_tokens;
use crate::parse::{plain, unwrap_type};

/// On which side of the other item the declaring one stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// It stops after the other.
    After,
    /// It stops before the other.
    Before,
}

impl Direction {
    /// Both, in the order in which their keys are read.
    pub(crate) const BOTH: [Self; 2] = [Self::After, Self::Before];

    /// The key that says so.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::After => "after",
            Self::Before => "before",
        }
    }
}

/// One item that another names.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// The item's type.
    pub(crate) other: Type,
    /// Its name as written.
    pub(crate) name: String,
    /// Which stops first.
    pub(crate) direction: Direction,
}

/// Reads all `#[shutdown_order]`s of the item called `name`.
pub(crate) fn orders(attributes: &[Attribute], name: &Ident, problems: &mut Problems) -> Vec<Order> {
    let mut orders: Vec<Order> = Vec::new();
    for attribute in attributes {
        let tokens = strip_marker(list_tokens(attribute));
        let mut arguments = Arguments::parse(SHUTDOWN_ORDER, ORDER_KEYS, tokens.clone(), problems);
        arguments.take_crate();
        if tokens.is_empty() {
            let problem = Problem::at(attribute, "bad-syntax", "`#[shutdown_order]` names nothing");
            problems.push(
                problem.help("write `#[shutdown_order(after = item)]` or `#[shutdown_order(before = item)]`"),
            );
        }
        for direction in Direction::BOTH {
            let Some((_, types)) = arguments.take_types(direction.key(), problems) else { continue };
            for other in types {
                note(Order { name: text(&other), other, direction }, name, &mut orders, problems);
            }
        }
    }
    orders
}

/// The marker that a `#[shutdown_order]` carries once it has moved below the main attribute.
pub(crate) fn strip_marker(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut rest = tokens.clone().into_iter();
    match rest.next() {
        Some(proc_macro2::TokenTree::Ident(first)) if first == ROTATED => {
            rest.next();
            rest.collect()
        }
        _ => tokens,
    }
}

fn note(order: Order, name: &Ident, orders: &mut Vec<Order>, problems: &mut Problems) {
    if is_named(&order.other, name) {
        let what = format!("`{}` cannot stop {} itself", plain(name), order.direction.key());
        let problem = Problem::at(&order.other, "self-order", what);
        problems.push(problem.help("name another task, hook or resource, or remove the order"));
        return;
    }
    let contradicts =
        orders.iter().any(|other| other.name == order.name && other.direction != order.direction);
    if contradicts {
        let what = format!("`{}` cannot stop both after and before `{}`", plain(name), order.name);
        problems.push(Problem::at(&order.other, "conflicting-keys", what).help("keep one of the two"));
        return;
    }
    orders.push(order);
}

fn is_named(ty: &Type, name: &Ident) -> bool {
    match unwrap_type(ty) {
        Type::Path(path) => {
            let segments = &path.path.segments;
            let local = segments.len() == 1
                || (segments.len() == 2 && path.path.to_token_stream().to_string().starts_with("self"));
            local && segments.last().is_some_and(|segment| segment.ident == *name)
        }
        _ => false,
    }
}
