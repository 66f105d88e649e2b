//! `#[derive(Uses)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::expand::argument::{account, held, reissue};
use crate::expand::this;
use crate::model::parameter::holds_nothing;
use crate::model::resource::{Field, Holder};

/// Expands the derive.
pub(crate) fn holder(holder: &Holder) -> TokenStream {
    let runtime = &holder.runtime;
    let (this, issuer) = (this(), Ident::new("__issuer", Span::mixed_site()));
    let asked: Vec<&Field> = holder.fields.iter().filter(|field| !holds_nothing(&field.ty)).collect();
    let helds = asked.iter().map(|Field { cfgs, ty, .. }| {
        let held = held(ty, runtime);
        quote!(#(#cfgs)* #held)
    });
    let reissues = asked.iter().map(|Field { cfgs, member, ty, .. }| {
        let statements = reissue(&quote!(#this.#member), ty, &quote!(#issuer), false, runtime);
        quote!(#(#cfgs)* { #statements })
    });
    let accounts = asked.iter().map(|Field { cfgs, member, ty, .. }| {
        let statements = account(&quote!(#this.#member), ty, &quote!(#issuer), runtime);
        quote!(#(#cfgs)* { #statements })
    });
    let issuer_used = if asked.is_empty() { quote!(_) } else { quote!(#issuer) };
    implementation(
        holder,
        &quote! {
            const HELD: &'static #runtime::Held = &#runtime::Held::All(&[#(#helds),*]);

            fn reissue(&mut #this, #issuer_used: &mut #runtime::Issuer) {
                #(#reissues)*
            }

            fn account(&#this, #issuer_used: &mut #runtime::Issuer) {
                #(#accounts)*
            }
        },
    )
}

/// An implementation that claims to hold nothing, so that a refused struct gives no second error.
pub(crate) fn stub(holder: &Holder) -> TokenStream {
    let runtime = &holder.runtime;
    implementation(
        holder,
        &quote! {
            const HELD: &'static #runtime::Held = &#runtime::Held::Nothing;
            fn reissue(&mut self, _: &mut #runtime::Issuer) {}
            fn account(&self, _: &mut #runtime::Issuer) {}
        },
    )
}

fn implementation(holder: &Holder, content: &TokenStream) -> TokenStream {
    let (name, runtime) = (&holder.item.ident, &holder.runtime);
    let (generics, arguments, where_clause) = holder.item.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #runtime::Uses for #name #arguments #where_clause {
            #content
        }
    }
}
