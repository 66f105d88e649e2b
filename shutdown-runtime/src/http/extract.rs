//! What handlers may ask for.

use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;

use crate::shutdown::Shutdown;

/// Who is at the other end of the connection, in the request's extensions; absent for streams that were handed in.
///
/// # Examples
///
/// ```
/// use axum::Extension;
/// use shutdown_runtime::http::Peer;
///
/// async fn who(Extension(Peer(address)): Extension<Peer>) -> String {
///     address.to_string()
/// }
/// # let _: axum::Router = axum::Router::new().route("/", axum::routing::get(who));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// A handler asked for a [`Shutdown`], and it is not served by [`serve`](super::serve): answered with 500.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotServedHere;

impl fmt::Display for NotServedHere {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`Shutdown` is known only to what shutdown_runtime::http serves")
    }
}

impl std::error::Error for NotServedHere {}

impl IntoResponse for NotServedHere {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, self.to_string()).into_response()
    }
}

/// The [`Shutdown`] of the task that serves.
impl<S: Sync> FromRequestParts<S> for Shutdown {
    type Rejection = NotServedHere;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, NotServedHere> {
        parts.extensions.get::<Self>().cloned().ok_or(NotServedHere)
    }
}

/// `None` where something else serves, such as a unit test of the router.
impl<S: Sync> OptionalFromRequestParts<S> for Shutdown {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}
