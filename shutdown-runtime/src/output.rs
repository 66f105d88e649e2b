//! What a task, a hook or a close may return.

use crate::closing::Closing;
use crate::resource::{BoxFuture, Close};
use std::future::Future;

/// Any error, as the report keeps it.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What every body comes down to.
pub type TaskResult = Result<(), BoxError>;

/// What a task, a hook or a close may return: `()`, or `Result<(), E>` with `E: Into<Box<dyn Error + Send + Sync>>`.
#[diagnostic::on_unimplemented(
    message = "[bad-output] a task, hook or close cannot return `{Self}`",
    label = "expected `()`, `!` or `Result<(), E>`",
    note = "`E` is anything that converts into `Box<dyn Error + Send + Sync>`: a type that implements `std::error::Error`, a `String`"
)]
pub trait Output {
    /// The common form.
    fn into_result(self) -> TaskResult;
}

impl Output for () {
    fn into_result(self) -> TaskResult {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> Output for Result<(), E> {
    fn into_result(self) -> TaskResult {
        self.map_err(Into::into)
    }
}

/// The common form of what a task returned.
pub fn into_result<R: Output>(output: R) -> TaskResult {
    output.into_result()
}

/// Marks a `close` that takes the resource alone.
#[derive(Debug)]
pub struct TakesResource;

/// Marks a `close` that takes the resource and a [`Closing`].
#[derive(Debug)]
pub struct TakesClosing;

/// A function that can close a `T`: takes `&T`, or `&T` and a [`Closing`]. Which of both is inferred as `Takes`.
#[diagnostic::on_unimplemented(
    message = "[no-close] `{Self}` cannot close a resource",
    label = "expected an async function of the resource by `&`, or of that and a `Closing`",
    note = "it returns `()` or `Result<(), E>`, where `E` converts into `Box<dyn Error + Send + Sync>`, and its future is `Send`"
)]
pub trait CloseWith<'a, T, Takes> {
    /// Calls it.
    fn call(self, resource: &'a T, closing: Closing) -> BoxFuture<'a, TaskResult>;
}

#[diagnostic::do_not_recommend]
impl<'a, T, F, R> CloseWith<'a, T, TakesResource> for F
where
    T: 'a,
    F: FnOnce(&'a T) -> R,
    R: Future<Output: Output> + Send + 'a,
{
    fn call(self, resource: &'a T, _: Closing) -> BoxFuture<'a, TaskResult> {
        let closed = self(resource);
        Box::pin(async move { closed.await.into_result() })
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T, F, R> CloseWith<'a, T, TakesClosing> for F
where
    T: 'a,
    F: FnOnce(&'a T, Closing) -> R,
    R: Future<Output: Output> + Send + 'a,
{
    fn call(self, resource: &'a T, closing: Closing) -> BoxFuture<'a, TaskResult> {
        let closed = self(resource, closing);
        Box::pin(async move { closed.await.into_result() })
    }
}

/// Calls a `close` path or closure of either form.
pub fn close_with<'a, T, Takes, F: CloseWith<'a, T, Takes>>(
    close: F,
    resource: &'a T,
    closing: Closing,
) -> BoxFuture<'a, TaskResult> {
    close.call(resource, closing)
}

/// Calls a `close` closure of one parameter, whose type is then inferred.
pub fn close_taking_resource<'a, T, F, R>(close: F, resource: &'a T, _: Closing) -> BoxFuture<'a, TaskResult>
where
    F: FnOnce(&'a T) -> R,
    R: Future<Output: Output> + Send + 'a,
{
    let closed = close(resource);
    Box::pin(async move { closed.await.into_result() })
}

/// Calls a `close` closure of two parameters, whose types are then inferred.
pub fn close_taking_closing<'a, T, F, R>(
    close: F,
    resource: &'a T,
    closing: Closing,
) -> BoxFuture<'a, TaskResult>
where
    F: FnOnce(&'a T, Closing) -> R,
    R: Future<Output: Output> + Send + 'a,
{
    let closed = close(resource, closing);
    Box::pin(async move { closed.await.into_result() })
}

/// Closes a resource whose attribute names no `close`.
pub fn close_by_trait<T: Close + Sync>(resource: &T, closing: Closing) -> BoxFuture<'_, TaskResult> {
    Box::pin(async move { resource.close(closing).await.map_err(Into::into) })
}
