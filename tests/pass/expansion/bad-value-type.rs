// The name alone: the function's generics are the type's.
use shutdown_runtime::background_task;

#[background_task(every = "1s", type = Relay)]
async fn relay<T: Clone + Unpin + Send + 'static>(item: T) {
    drop(item);
}

fn main() {}
