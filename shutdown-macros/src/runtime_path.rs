//! Where the generated code finds the runtime.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt as _, quote_spanned};
use syn::Path;

/// The hidden module of the runtime, the only door for generated code.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuntimePath {
    /// The user's `crate = path`.
    written: Option<Path>,
}

impl RuntimePath {
    /// The crate that the user named, or `::shutdown_runtime`.
    pub(crate) fn new(written: Option<Path>) -> Self {
        Self { written }
    }

    /// The path of the crate itself, with every token at `span`.
    pub(crate) fn krate(&self, span: Span) -> TokenStream {
        let Some(path) = &self.written else { return quote_spanned!(span=> ::shutdown_runtime) };
        // Respanned, since an error about generated code must not underline the user's path.
        let moved = path.to_token_stream().into_iter().map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        });
        moved.collect()
    }

    /// The path of the hidden module, with every token at `span`.
    pub(crate) fn at(&self, span: Span) -> TokenStream {
        let mut path = TokenStream::new();
        self.write(span, &mut path);
        path
    }

    /// Token by token: joining streams asks the compiler each time, and this is in everything that is generated.
    fn write(&self, span: Span, tokens: &mut TokenStream) {
        if self.written.is_some() {
            tokens.append_all(self.krate(span));
        } else {
            separator(span, tokens);
            tokens.append(Ident::new("shutdown_runtime", span));
        }
        separator(span, tokens);
        tokens.append(Ident::new("__private", span));
    }
}

/// `::`.
fn separator(span: Span, tokens: &mut TokenStream) {
    for spacing in [Spacing::Joint, Spacing::Alone] {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        tokens.append(colon);
    }
}

impl ToTokens for RuntimePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.write(Span::call_site(), tokens);
    }
}
