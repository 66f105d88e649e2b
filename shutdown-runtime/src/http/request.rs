//! One request from its head to the last byte of its answer.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use http::header::{CONNECTION, HeaderValue};
use http::{Method, Request, Response, StatusCode, Version};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use pin_project_lite::pin_project;

use super::extract::Peer;
use super::service::HttpService;
use super::state::State;
use crate::unit::{Measured, Work};

/// Counts a request while its answer is not over, and then what became of it.
#[derive(Debug)]
struct InFlight {
    state: Arc<State>,
    answered: bool,
    _measured: Option<Measured>,
}

impl InFlight {
    fn new(state: &Arc<State>) -> Self {
        state.request_begins();
        Self {
            state: Arc::clone(state),
            answered: false,
            _measured: state.shared.shutdown.measure(Work::Unit),
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.state.request_ends();
        let shared = &self.state.shared;
        if shared.shutdown.is_draining() {
            if self.answered {
                shared.completed.add(1);
            } else if shared.is_over() {
                shared.cut.add(1);
            }
        }
    }
}

pin_project! {
    /// An answer's body; the request is over when it is.
    pub(super) struct Answer<B> {
        #[pin]
        body: Option<B>,
        request: InFlight,
    }
}

impl<B: HttpBody<Data = Bytes>> HttpBody for Answer<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.project();
        let Some(mut body) = this.body.as_pin_mut() else { return Poll::Ready(None) };
        let frame = ready!(body.as_mut().poll_frame(context));
        match &frame {
            Some(Err(_)) => {}
            // Nobody asks for the end of a body whose length was told.
            Some(Ok(_)) => this.request.answered = body.is_end_stream(),
            None => this.request.answered = true,
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

/// Answers one request.
pub(super) async fn answer<S: HttpService>(
    request: Request<Incoming>,
    mut service: S,
    state: Arc<State>,
) -> Result<Response<Answer<S::AnswerBody>>, S::Failure> {
    let mut in_flight = InFlight::new(&state);
    let shared = &state.shared;
    let (head_only, version) = (request.method() == Method::HEAD, request.version());
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(shared.shutdown.clone());
    if let Some(peer) = state.peer {
        request.extensions_mut().insert(Peer(peer));
    }
    let handling = async {
        poll_fn(|context| service.poll_ready(context)).await?;
        service.call(request).await
    };
    let mut response = match shared.limits.request {
        None => handling.await?.map(Some),
        Some(limit) => match tokio::time::timeout(limit, handling).await {
            Ok(response) => response?.map(Some),
            Err(_) => {
                let mut late = Response::new(None);
                *late.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
                late
            }
        },
    };
    // So that the client has moved on when the listener closes.
    if version <= Version::HTTP_11
        && shared.shutdown.is_draining()
        && response.status() != StatusCode::SWITCHING_PROTOCOLS
    {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    in_flight.answered = head_only || response.body().as_ref().is_none_or(HttpBody::is_end_stream);
    Ok(response.map(|body| Answer { body, request: in_flight }))
}
