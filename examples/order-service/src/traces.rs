//! The traces: batched in the background, flushed as the last thing that a stop does (R-SHUT-OBS-2).

use std::fmt;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::error::OTelSdkError;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use shutdown_runtime::{Closing, resource};

use crate::start_error::StartError;

/// Where traces go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// `stdout`: text, for a look on one machine.
    Stdout,
    /// The URL of a collector that takes OTLP over HTTP.
    Collector(String),
}

/// The exporter. What it still holds when the process ends is lost, so it is a resource like the producer.
#[resource(close = flush_traces, budget = "5s")]
pub struct Traces {
    provider: SdkTracerProvider,
}

/// Blocks, as a close may: it runs on a thread of its own, off the runtime. A shutdown alone would flush as well, and keep to
/// itself that it could not.
async fn flush_traces(traces: &Traces, closing: Closing) -> Result<(), OTelSdkError> {
    let flushed = traces.provider.force_flush();
    flushed.and(traces.provider.shutdown_with_timeout(closing.time_left()))
}

impl Traces {
    /// Starts the exporter's thread.
    pub fn start(destination: &Destination) -> Result<Self, StartError> {
        let builder = SdkTracerProvider::builder()
            .with_resource(opentelemetry_sdk::Resource::builder().with_service_name("order-service").build());
        let provider = match destination {
            Destination::Stdout => builder.with_batch_exporter(opentelemetry_stdout::SpanExporter::default()),
            Destination::Collector(url) => {
                let exporter = SpanExporter::builder().with_http().with_endpoint(url).build();
                builder.with_batch_exporter(exporter.map_err(|error| StartError::Traces(error.to_string()))?)
            }
        };
        Ok(Self { provider: provider.build() })
    }

    pub(crate) fn tracer(&self) -> SdkTracer {
        self.provider.tracer("order-service")
    }
}

impl fmt::Debug for Traces {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Traces").finish_non_exhaustive()
    }
}
