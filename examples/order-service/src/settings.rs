//! What the service is told from outside: environment variables, each checked before anything is started.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::Duration;

use crate::fault::Fault;
use crate::traces::Destination;

/// Everything that can be set from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `ORDER_SERVICE_HTTP_ADDRESS`: where the order API listens.
    pub http_address: SocketAddr,
    /// `ORDER_SERVICE_ADMIN_ADDRESS`: where the probes listen.
    pub admin_address: SocketAddr,
    /// `DATABASE_URL`: a `sqlite:` or a `postgres:` URL.
    pub database_url: String,
    /// `KAFKA_BROKERS`: bootstrap servers; none starts a broker inside this process.
    pub brokers: Option<String>,
    /// `KAFKA_PROPERTIES`: further settings of the Kafka clients, `name=value` with commas between.
    pub properties: Vec<(String, String)>,
    /// What the topics are called.
    pub topics: Topics,
    /// `ORDER_SERVICE_GROUP`: the consumer group that turns events into shipments; with `.products` behind it the one that
    /// takes changes of the catalogue over.
    pub group: String,
    /// How the relay works through the outbox.
    pub relay: RelaySettings,
    /// `ORDER_SERVICE_SETTLE_INTERVAL`: pause of the payment settler where nothing is due.
    pub settle_interval: Duration,
    /// What the cleaner removes, and when.
    pub cleaner: CleanerSettings,
    /// `ORDER_SERVICE_TRACES`: where traces go, if anywhere.
    pub traces: Option<Destination>,
    /// `ORDER_SERVICE_FAULT`: a member made to misbehave, for rehearsals.
    pub fault: Option<Fault>,
}

/// What the topics are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topics {
    /// `ORDER_SERVICE_TOPIC`: where order events go to and come from.
    pub orders: String,
    /// `ORDER_SERVICE_PRODUCT_TOPIC`: where changes of products come from.
    pub products: String,
    /// `ORDER_SERVICE_CATALOG_TOPIC`: where we say that we have taken one over.
    pub catalog: String,
}

/// What the cleaner removes, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CleanerSettings {
    /// `ORDER_SERVICE_CLEAN_INTERVAL`: pause between two times.
    pub interval: Duration,
    /// `ORDER_SERVICE_LIFETIME`: after this an order that nobody paid and nobody shipped has expired, and so has an
    /// idempotency key.
    pub lifetime: Duration,
}

/// How the relay works through the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelaySettings {
    /// `ORDER_SERVICE_RELAY_INTERVAL`: pause between two batches.
    pub interval: Duration,
    /// `ORDER_SERVICE_RELAY_BATCH`: most events in one batch. A batch is never cut short by a stop, so it has to fit the
    /// relay's budget: make the batch smaller, not the budget larger (R-SHUT-OBS-1).
    pub batch: u16,
}

/// A variable whose value makes no sense: the whole text is one line for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}={value:?} is not usable: expected {expected}")]
pub struct SettingsError {
    variable: &'static str,
    value: String,
    expected: &'static str,
}

/// The largest batch that fits the relay's 10 s with room: 50 events take milliseconds, but a broker that answers slowly
/// multiplies.
/// The relay declares both, so that a batch that takes longer than its budget is warned about before any stop meets it.
const MOST_IN_A_BATCH: u16 = 500;
const LONGEST_INTERVAL: Duration = Duration::from_hours(1);
const INTERVAL: &str = "a duration from 1ms to 1h such as 500ms, 2s or 1m";

impl Settings {
    /// Reads the process's environment.
    pub fn from_environment() -> Result<Self, SettingsError> {
        Self::read(std::env::var_os)
    }

    /// Reads variables from `lookup`; an absent or empty one has its default.
    pub fn read(lookup: impl Fn(&'static str) -> Option<OsString>) -> Result<Self, SettingsError> {
        let source = Source(&lookup);
        Ok(Self {
            http_address: source.value(
                "ORDER_SERVICE_HTTP_ADDRESS",
                "127.0.0.1:8080",
                "an address and a port such as 0.0.0.0:8080",
                |text| text.parse().ok(),
            )?,
            admin_address: source.value(
                "ORDER_SERVICE_ADMIN_ADDRESS",
                "127.0.0.1:8081",
                "an address and a port such as 0.0.0.0:8081",
                |text| text.parse().ok(),
            )?,
            database_url: source.value(
                "DATABASE_URL",
                "sqlite://order-service.sqlite",
                "a URL that begins with sqlite:// or postgres://",
                database_url,
            )?,
            brokers: source.optional(
                "KAFKA_BROKERS",
                "host:port, or several of them with commas between",
                brokers,
            )?,
            properties: source.value("KAFKA_PROPERTIES", "", PROPERTIES, properties)?,
            topics: Topics {
                orders: source.value("ORDER_SERVICE_TOPIC", "orders.created", KAFKA_NAME, kafka_name)?,
                products: source.value(
                    "ORDER_SERVICE_PRODUCT_TOPIC",
                    "products.changed",
                    KAFKA_NAME,
                    kafka_name,
                )?,
                catalog: source.value(
                    "ORDER_SERVICE_CATALOG_TOPIC",
                    "catalog.updated",
                    KAFKA_NAME,
                    kafka_name,
                )?,
            },
            group: source.value("ORDER_SERVICE_GROUP", "order-service", KAFKA_NAME, kafka_name)?,
            relay: RelaySettings {
                interval: source.value("ORDER_SERVICE_RELAY_INTERVAL", "500ms", INTERVAL, interval)?,
                batch: source.value(
                    "ORDER_SERVICE_RELAY_BATCH",
                    "50",
                    "a whole number from 1 to 500",
                    |text| text.parse().ok().filter(|count| (1..=MOST_IN_A_BATCH).contains(count)),
                )?,
            },
            settle_interval: source.value("ORDER_SERVICE_SETTLE_INTERVAL", "500ms", INTERVAL, interval)?,
            cleaner: CleanerSettings {
                interval: source.value("ORDER_SERVICE_CLEAN_INTERVAL", "1m", INTERVAL, interval)?,
                lifetime: source.value(
                    "ORDER_SERVICE_LIFETIME",
                    "24h",
                    "a duration of at least 1m such as 30m or 24h",
                    |text| duration(text).filter(|found| *found >= Duration::from_mins(1)),
                )?,
            },
            traces: source.optional(
                "ORDER_SERVICE_TRACES",
                "`stdout`, or the http:// URL of a collector",
                destination,
            )?,
            fault: source.optional("ORDER_SERVICE_FAULT", Fault::EXPECTED, Fault::named)?,
        })
    }
}

/// Where variables come from.
struct Source<'a, L>(&'a L);

impl<L: Fn(&'static str) -> Option<OsString>> Source<'_, L> {
    fn value<T>(
        &self,
        variable: &'static str,
        default: &str,
        expected: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SettingsError> {
        match self.optional(variable, expected, &parse)? {
            Some(value) => Ok(value),
            None => parse(default).ok_or_else(|| refused(variable, default, expected)),
        }
    }

    fn optional<T>(
        &self,
        variable: &'static str,
        expected: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingsError> {
        let Some(raw) = (self.0)(variable).filter(|raw| !raw.is_empty()) else { return Ok(None) };
        let Some(text) = raw.to_str() else {
            return Err(refused(variable, &raw.to_string_lossy(), "text in UTF-8"));
        };
        parse(text).map(Some).ok_or_else(|| refused(variable, text, expected))
    }
}

fn refused(variable: &'static str, value: &str, expected: &'static str) -> SettingsError {
    SettingsError { variable, value: without_password(value), expected }
}

/// The URL without its password, so that it can be logged.
pub fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let authority = rest.split('/').next().unwrap_or(rest);
    let Some((credentials, _)) = authority.rsplit_once('@') else { return url.to_owned() };
    let Some((user, _)) = credentials.split_once(':') else { return url.to_owned() };
    format!("{scheme}://{user}:***{}", &rest[credentials.len()..])
}

fn database_url(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    (matches!(scheme, "sqlite" | "postgres" | "postgresql") && !rest.is_empty()).then(|| text.to_owned())
}

fn brokers(text: &str) -> Option<String> {
    let well_formed = |broker: &str| {
        broker.rsplit_once(':').is_some_and(|(host, port)| {
            !host.is_empty()
                && !host.contains(char::is_whitespace)
                && port.parse::<u16>().is_ok_and(|port| port > 0)
        })
    };
    text.split(',').all(well_formed).then(|| text.to_owned())
}

const KAFKA_NAME: &str = "1 to 200 letters, digits, dots, hyphens or underscores";

fn kafka_name(text: &str) -> Option<String> {
    let allowed = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'-' | b'_');
    ((1..=200).contains(&text.len()) && text.bytes().all(allowed)).then(|| text.to_owned())
}

fn destination(text: &str) -> Option<Destination> {
    match text {
        "stdout" => Some(Destination::Stdout),
        url => url
            .strip_prefix("http://")
            .filter(|host| !host.is_empty())
            .map(|_| Destination::Collector(url.to_owned())),
    }
}

/// What the service depends on being as it is.
const OURS: [(&str, &str); 5] = [
    // Offsets are committed by hand after the effect, never by a timer before it (R-SHUT-KFK-X1).
    ("enable.auto.commit", "false"),
    ("enable.auto.offset.store", "false"),
    ("auto.offset.reset", "earliest"),
    ("enable.idempotence", "true"),
    ("acks", "all"),
];
const PROPERTIES: &str = "name=value with commas between, and neither `enable.auto.commit` nor anything else that could \
     lose a message switched";

fn properties(text: &str) -> Option<Vec<(String, String)>> {
    text.split(',')
        .map(str::trim)
        .filter(|property| !property.is_empty())
        .map(|property| {
            let (name, value) = property.split_once('=')?;
            let (name, value) = (name.trim(), value.trim());
            // The client library has older names for some, with `topic.` before them.
            let known_as = name.strip_prefix("topic.").unwrap_or(name);
            let is_kept = OURS.iter().all(|(ours, wanted)| known_as != *ours || value == *wanted);
            let is_elsewhere = matches!(
                known_as,
                // The last two decide how long the flush of the plan's budget may take.
                "bootstrap.servers"
                    | "metadata.broker.list"
                    | "group.id"
                    | "message.timeout.ms"
                    | "delivery.timeout.ms"
            );
            (!name.is_empty() && is_kept && !is_elsewhere && name != "auto.commit.enable")
                .then(|| (name.to_owned(), value.to_owned()))
        })
        .collect()
}

fn interval(text: &str) -> Option<Duration> {
    duration(text).filter(|found| !found.is_zero() && *found <= LONGEST_INTERVAL)
}

fn duration(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    match unit {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_secs(number.checked_mul(60)?)),
        "h" => Some(Duration::from_secs(number.checked_mul(3600)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
