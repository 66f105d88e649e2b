//! What may be served.

use std::any::Any;
use std::future::Future;

use axum::Router;
use axum::body::{Body, Bytes};
use http::{Request, Response};
use http_body::Body as HttpBody;
use tower_service::Service;

use crate::output::BoxError;

/// What [`serve`](super::serve) takes: an `axum::Router`, or any tower service from `Request<axum::body::Body>` to a
/// response of whatever body. Implemented for all of them; never by hand.
pub trait HttpService:
    Service<
        Request<Body>,
        Response = Response<<Self as HttpService>::AnswerBody>,
        Error = <Self as HttpService>::Failure,
        Future = <Self as HttpService>::Answering,
    > + Clone
    + Send
    + 'static
{
    /// The body of its answers.
    type AnswerBody: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static;
    /// An error costs the connection: a service with something to say answers with a status.
    type Failure: Into<BoxError> + Send;
    /// What a request waits for.
    type Answering: Future<Output = Result<Response<Self::AnswerBody>, Self::Failure>> + Send + 'static;
}

impl<S, B> HttpService for S
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Into<BoxError> + Send,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type AnswerBody = B;
    type Failure = S::Error;
    type Answering = S::Future;
}

/// Has a router turn its handlers into routes once, and not for each request anew; as axum's own `serve` does.
pub(super) fn prepare(service: &mut dyn Any) {
    if let Some(router) = service.downcast_mut::<Router>() {
        *router = std::mem::take(router).with_state(());
    }
}
