use super::*;

fn read(variables: &[(&'static str, &str)]) -> Result<Settings, SettingsError> {
    Settings::read(|wanted| {
        variables.iter().find(|(name, _)| *name == wanted).map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn nothing_set_is_a_service_for_one_machine() {
    let settings = read(&[]).unwrap();
    assert_eq!(settings.http_address.port(), 8080);
    assert_eq!(settings.brokers, None);
    assert_eq!(settings.relay, RelaySettings { interval: Duration::from_millis(500), batch: 50 });
    assert_eq!(settings.fault, None);
}

#[test]
fn each_malformed_variable_is_named_with_its_value() {
    for (variable, value) in [
        ("ORDER_SERVICE_HTTP_ADDRESS", "localhost"),
        ("ORDER_SERVICE_ADMIN_ADDRESS", "127.0.0.1:70000"),
        ("DATABASE_URL", "mysql://root@localhost/orders"),
        ("KAFKA_BROKERS", "localhost:9092,"),
        ("KAFKA_BROKERS", "localhost"),
        ("KAFKA_PROPERTIES", "enable.auto.commit=true"),
        ("KAFKA_PROPERTIES", "security.protocol=ssl, enable.auto.commit = true"),
        ("KAFKA_PROPERTIES", "topic.enable.auto.commit=true"),
        ("KAFKA_PROPERTIES", "enable.auto.offset.store=true"),
        ("KAFKA_PROPERTIES", "acks=0"),
        ("KAFKA_PROPERTIES", "auto.offset.reset=latest"),
        ("KAFKA_PROPERTIES", "topic.message.timeout.ms=300000"),
        ("KAFKA_PROPERTIES", "delivery.timeout.ms=300000"),
        ("KAFKA_PROPERTIES", "bootstrap.servers=elsewhere:9092"),
        ("KAFKA_PROPERTIES", "security.protocol"),
        ("ORDER_SERVICE_TOPIC", "orders created"),
        ("ORDER_SERVICE_PRODUCT_TOPIC", "a b"),
        ("ORDER_SERVICE_CATALOG_TOPIC", "a b"),
        ("ORDER_SERVICE_SETTLE_INTERVAL", "0ms"),
        ("ORDER_SERVICE_CLEAN_INTERVAL", "2h"),
        ("ORDER_SERVICE_LIFETIME", "59s"),
        ("ORDER_SERVICE_GROUP", "a/b"),
        ("ORDER_SERVICE_RELAY_INTERVAL", "0s"),
        ("ORDER_SERVICE_RELAY_INTERVAL", "500"),
        ("ORDER_SERVICE_RELAY_INTERVAL", "18446744073709551615h"),
        ("ORDER_SERVICE_RELAY_BATCH", "0"),
        ("ORDER_SERVICE_RELAY_BATCH", "501"),
        ("ORDER_SERVICE_TRACES", "https://collector:4318"),
        ("ORDER_SERVICE_TRACES", "http://"),
        ("ORDER_SERVICE_FAULT", "everything-hangs"),
    ] {
        let text = read(&[(variable, value)]).unwrap_err().to_string();
        assert!(text.starts_with(&format!("{variable}={value:?} is not usable")), "{text}");
    }
}

#[test]
fn further_settings_of_the_clients_are_taken_as_they_are() {
    let settings = read(&[("KAFKA_PROPERTIES", "security.protocol=ssl, ssl.ca.location=/ca.pem,")]).unwrap();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let wanted = [pair("security.protocol", "ssl"), pair("ssl.ca.location", "/ca.pem")];
    assert_eq!(settings.properties, wanted);
    assert_eq!(read(&[("KAFKA_PROPERTIES", "enable.auto.commit=false")]).unwrap().properties.len(), 1);
}

#[test]
fn a_password_is_never_repeated() {
    let text = read(&[("DATABASE_URL", "mysql://me:s3cr@t@host/orders")]).unwrap_err().to_string();
    assert!(text.contains("mysql://me:***@host/orders"), "{text}");
    assert_eq!(without_password("postgres://me@host/a:b@c"), "postgres://me@host/a:b@c");
}
