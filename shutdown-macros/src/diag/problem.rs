//! One problem: its id, what is wrong, and what to write instead.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

/// One refusal, at the smallest tokens that must change.
#[derive(Debug)]
pub(crate) struct Problem {
    id: &'static str,
    what: String,
    notes: Vec<String>,
    first: Span,
    last: Span,
    /// The condition under which it is one.
    only_where: Option<TokenStream>,
}

impl Problem {
    /// A problem that underlines `tokens` from the first to the last.
    pub(crate) fn at(tokens: &impl ToTokens, id: &'static str, what: impl Into<String>) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        let last = spans.last().unwrap_or(first);
        Self { id, what: what.into(), notes: Vec::new(), first, last, only_where: None }
    }

    /// A problem that underlines just `span`.
    pub(crate) fn spanned(span: Span, id: &'static str, what: impl Into<String>) -> Self {
        Self { id, what: what.into(), notes: Vec::new(), first: span, last: span, only_where: None }
    }

    /// Adds what to write instead.
    pub(crate) fn help(mut self, help: impl AsRef<str>) -> Self {
        self.notes.push(format!("help: {}", help.as_ref()));
        self
    }

    /// Adds why.
    pub(crate) fn note(mut self, note: impl AsRef<str>) -> Self {
        self.notes.push(format!("note: {}", note.as_ref()));
        self
    }

    /// Makes it one only where this `cfg` predicate holds, which rustc knows and a macro does not.
    pub(crate) fn only_where(mut self, predicate: TokenStream) -> Self {
        self.only_where = Some(predicate);
        self
    }

    /// Whether it is one under every condition.
    pub(super) fn is_certain(&self) -> bool {
        self.only_where.is_none()
    }

    /// The whole text.
    pub(crate) fn message(&self) -> String {
        let mut message = format!("[{}] {}", self.id, self.what);
        for note in &self.notes {
            message.push('\n');
            message.push_str(note);
        }
        message
    }

    /// The `compile_error!` that shows it.
    pub(crate) fn to_compile_error(&self) -> TokenStream {
        use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenTree};

        let message = TokenTree::from(Literal::string(&self.message()));
        let path = |text: &str, span: Span| {
            let mut first = Punct::new(':', Spacing::Joint);
            let mut second = Punct::new(':', Spacing::Alone);
            first.set_span(span);
            second.set_span(span);
            [TokenTree::from(first), TokenTree::from(second), TokenTree::from(Ident::new(text, span))]
        };
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(self.first);
        let mut message = message;
        message.set_span(self.last);
        let mut group = Group::new(Delimiter::Brace, message.into());
        // rustc underlines from the macro's path to its argument group.
        group.set_span(self.last);
        let condition = self.only_where.as_ref().map(|predicate| quote!(#[cfg(#predicate)]));
        condition
            .into_token_stream()
            .into_iter()
            .chain(path("core", self.first))
            .chain(path("compile_error", self.first))
            .chain([TokenTree::from(bang), TokenTree::from(group)])
            .collect()
    }

    /// The id and the underlined text, for the tests.
    #[cfg(test)]
    pub(crate) fn underlined(&self) -> (&'static str, String) {
        let text = self.first.join(self.last).and_then(|span| span.source_text());
        (self.id, text.unwrap_or_default())
    }
}
