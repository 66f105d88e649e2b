//! The annotated `main`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::expand::member::optional;
use crate::model::entry::Main;

/// Expands `main`: the function as written becomes the start-up of the one that the process begins with.
pub(crate) fn entry(main: &Main) -> TokenStream {
    let (item, runtime) = (&main.item, &main.runtime);
    let name = &item.signature.ident;
    let attributes = &item.attributes;
    let visibility = &item.visibility;
    let (asyncness, fn_token, inputs) =
        (&item.signature.asyncness, &item.signature.fn_token, &item.signature.inputs);
    let (output, body) = (&item.signature.output, &item.body);
    let flavor = format_ident!("{}", if main.current_thread { "CurrentThread" } else { "MultiThread" });
    let threads = optional(main.worker_threads.as_ref());
    let inner = Ident::new("main", Span::mixed_site());
    let startup = Ident::new("__startup", Span::mixed_site());
    let call = if inputs.is_empty() {
        quote!(|_: #runtime::Startup| #inner())
    } else {
        quote!(|#startup: #runtime::Startup| #inner(#startup))
    };
    let span = super::last_span(output);
    let hidden = runtime.at(span);
    let run = quote_spanned!(span=> #hidden::main);
    quote! {
        #(#attributes)*
        #visibility #fn_token #name() -> ::std::process::ExitCode {
            #asyncness #fn_token #inner(#inputs) #output #body
            #run(
                #runtime::RuntimeOptions { flavor: #runtime::Flavor::#flavor, worker_threads: #threads },
                #call,
            )
        }
    }
}
