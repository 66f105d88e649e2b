//! A real subscriber that keeps what it is told: each event with its fields, and the spans around it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

/// One event.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) message: String,
    pub(crate) fields: BTreeMap<&'static str, String>,
    /// The spans around it from the outermost, each as `name{field=value, ...}`.
    pub(crate) spans: Vec<String>,
    /// When it came.
    pub(crate) at: tokio::time::Instant,
}

impl Line {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// What this thread was told, from [`listen`] until it is dropped.
pub(crate) struct Collected {
    lines: Arc<Mutex<Vec<Line>>>,
    _guard: DefaultGuard,
}

impl Collected {
    pub(crate) fn lines(&self) -> Vec<Line> {
        self.lines.lock().unwrap().clone()
    }

    /// The lines that name this member.
    pub(crate) fn of(&self, member: &str) -> Vec<Line> {
        self.lines().into_iter().filter(|line| line.field("member") == member).collect()
    }
}

/// A test under the paused clock runs on one thread, so the subscriber is that thread's.
pub(crate) fn listen() -> Collected {
    let lines = Arc::default();
    let subscriber = tracing_subscriber::registry().with(Collector(Arc::clone(&lines)));
    Collected { lines, _guard: tracing::subscriber::set_default(subscriber) }
}

struct Collector(Arc<Mutex<Vec<Line>>>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Collector {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let fields: Vec<_> = fields.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let text = format!("{}{{{}}}", attributes.metadata().name(), fields.join(", "));
        context.span(id).unwrap().extensions_mut().insert(text);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let message = fields.0.remove("message").unwrap_or_default();
        let scope =
            context.event_scope(event).into_iter().flat_map(tracing_subscriber::registry::Scope::from_root);
        let spans = scope.map(|span| span.extensions().get::<String>().unwrap().clone()).collect();
        let (level, at) = (*event.metadata().level(), tokio::time::Instant::now());
        self.0.lock().unwrap().push(Line { level, message, fields: fields.0, spans, at });
    }
}

#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let mut text = String::new();
        write!(text, "{value:?}").unwrap();
        self.0.insert(field.name(), text);
    }
}
