//! One request from its head to the last byte of its answer.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};

use http::header::{CONNECTION, HeaderValue};
use http::{Method, Request, Response, StatusCode, Version};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::{Buf, Incoming};
use pin_project_lite::pin_project;

use super::extract::Peer;
use super::service::HttpService;
use super::state::State;
use crate::unit::{Measured, Work};

/// Counts a request while its answer is not over: until the last part of it was written.
#[derive(Debug)]
struct InFlight {
    state: Arc<State>,
    is_answered: AtomicBool,
}

impl InFlight {
    fn new(state: &Arc<State>) -> Self {
        state.request_begins();
        Self { state: Arc::clone(state), is_answered: AtomicBool::new(false) }
    }

    fn answered(&self, is_answered: bool) {
        self.is_answered.store(is_answered, Ordering::Relaxed);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.state.request_ends(*self.is_answered.get_mut());
    }
}

/// A part of an answer. HTTP/2 keeps it for as long as the client's window is closed, so the request lasts as long.
pub(super) struct Part {
    bytes: Bytes,
    _request: Arc<InFlight>,
}

impl Buf for Part {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, amount: usize) {
        self.bytes.advance(amount);
    }

    fn copy_to_bytes(&mut self, length: usize) -> Bytes {
        self.bytes.copy_to_bytes(length)
    }
}

pin_project! {
    /// An answer's body; the request is over when it was written.
    pub(super) struct Answer<B> {
        #[pin]
        body: Option<B>,
        request: Arc<InFlight>,
        _measured: Option<Measured>,
    }
}

impl<B: HttpBody<Data = Bytes>> HttpBody for Answer<B> {
    type Data = Part;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Part>, B::Error>>> {
        let this = self.project();
        let Some(mut body) = this.body.as_pin_mut() else { return Poll::Ready(None) };
        let frame = ready!(body.as_mut().poll_frame(context));
        match &frame {
            Some(Err(_)) => {}
            // Nobody asks for the end of a body whose length was told.
            Some(Ok(_)) => this.request.answered(body.is_end_stream()),
            None => this.request.answered(true),
        }
        let request = this.request;
        let part = |bytes| Part { bytes, _request: Arc::clone(request) };
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(part))))
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
    let in_flight = Arc::new(InFlight::new(&state));
    let measured = state.shared.shutdown.measure(Work::Unit);
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
    in_flight.answered(head_only || response.body().as_ref().is_none_or(HttpBody::is_end_stream));
    Ok(response.map(|body| Answer { body, request: in_flight, _measured: measured }))
}
