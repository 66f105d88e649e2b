//! What the platform is told of the order service agrees with the plan that the compiler has checked.

use std::fs;

use shutdown_runtime::{Shutdown, background_task, shutdown_plan};

/// What the order service says of its own plan; below stands a plan of the same numbers.
const WRITTEN: &str = r#"#[shutdown_plan(budget = "60s", pre_stop = "10s")]"#;

#[allow(dead_code, reason = "the plan is looked at, not run")]
#[background_task]
async fn anything(shutdown: Shutdown) {
    shutdown.requested().await;
}

#[shutdown_plan(budget = "60s", pre_stop = "10s")]
struct SameNumbers {
    all: anything,
}

fn order_service(file: &str) -> String {
    let path = format!("{}/../examples/order-service/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines without comments and indentation.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// The lines below `key`, as far as they are indented more than it.
fn below(text: &str, key: &str) -> String {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut from = text.lines().skip_while(|line| line.trim() != key);
    let head = from.next().unwrap_or_else(|| panic!("no `{key}`"));
    let inside = from.take_while(|line| indentation(line) > indentation(head) || line.trim().is_empty());
    inside.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_numbers_here_are_those_of_the_order_service() {
    let main = order_service("src/main.rs");
    assert!(main.contains(WRITTEN), "the plan has other numbers: change `SameNumbers` and examples/*/deploy");
}

#[test]
fn the_deployment_holds_the_fragment_that_the_plan_prints() {
    let deployment = order_service("deploy/kubernetes.yaml");
    let (deployment, fragment) = (lines(&deployment), SameNumbers::graph().kubernetes());
    let fragment = lines(&fragment);
    assert!(fragment.contains(&"terminationGracePeriodSeconds: 60") && fragment.contains(&"seconds: 10"));
    let mut rest = deployment.iter();
    for line in &fragment {
        assert!(rest.any(|here| here == line), "`{line}` is missing, or not in its place");
    }
    for named in ["terminationGracePeriodSeconds:", "preStop:"] {
        let times = deployment.iter().filter(|line| line.starts_with(named)).count();
        assert_eq!(times, 1, "{named}");
    }
}

#[test]
fn the_probes_are_apart_and_a_rolling_update_keeps_its_capacity() {
    let deployment = order_service("deploy/kubernetes.yaml");
    for (probe, path, initial, period, failures) in
        [("livenessProbe:", "/livez", 10, 10, 3), ("readinessProbe:", "/readyz", 5, 5, 2)]
    {
        let probe = below(&deployment, probe);
        let expected = [
            "httpGet:".to_owned(),
            format!("path: {path}"),
            "port: admin".to_owned(),
            format!("initialDelaySeconds: {initial}"),
            format!("periodSeconds: {period}"),
            format!("failureThreshold: {failures}"),
        ];
        assert_eq!(lines(&probe), expected);
    }
    assert_eq!(lines(&below(&deployment, "rollingUpdate:")), ["maxSurge: 1", "maxUnavailable: 0"]);
    // The kubelet sleeps, since the image has nothing to sleep with.
    assert_eq!(lines(&below(&deployment, "preStop:")), ["sleep:", "seconds: 10"]);
    let (pod, container) = (lines(&deployment), below(&deployment, "containers:"));
    for line in ["runAsNonRoot: true", "runAsUser: 65532", "kind: Service", "kind: PodDisruptionBudget"] {
        assert!(pod.contains(&line), "{line}");
    }
    for line in ["resources:", "allowPrivilegeEscalation: false", "readOnlyRootFilesystem: true", "- ALL"] {
        assert!(lines(&container).contains(&line), "{line}");
    }
}

#[test]
fn the_ports_are_those_that_the_image_opens() {
    let (deployment, image) = (order_service("deploy/kubernetes.yaml"), order_service("deploy/Dockerfile"));
    assert!(lines(&image).contains(&"EXPOSE 8080 8081"));
    for (port, variable) in [(8080, "ORDER_SERVICE_HTTP_ADDRESS"), (8081, "ORDER_SERVICE_ADMIN_ADDRESS")] {
        assert!(lines(&deployment).contains(&format!("containerPort: {port}").as_str()), "{port}");
        assert!(deployment.contains(&format!("name: {variable}\n              value: \"0.0.0.0:{port}\"")));
        assert!(image.contains(&format!("{variable}=0.0.0.0:{port}")));
        assert!(order_service("src/settings.rs").contains(variable), "{variable}");
    }
}

#[test]
fn the_service_is_the_first_process_of_an_image_without_a_shell() {
    let image = order_service("deploy/Dockerfile");
    let stages: Vec<&str> = lines(&image).into_iter().filter(|line| line.starts_with("FROM ")).collect();
    assert_eq!(stages.len(), 2);
    assert!(stages[1].contains("distroless"), "{}", stages[1]);
    let last = image.split(stages[1]).nth(1).unwrap_or_default();
    let last = lines(last);
    for line in ["USER 65532:65532", "STOPSIGNAL SIGTERM", r#"ENTRYPOINT ["/order-service"]"#] {
        assert!(last.contains(&line), "{line}");
    }
    assert!(!last.iter().any(|line| line.starts_with("RUN") || line.starts_with("CMD")), "{last:?}");
}

#[test]
fn compose_and_systemd_grant_the_budget() {
    let compose = order_service("deploy/compose.yaml");
    let service = below(&compose, "order-service:");
    for line in ["stop_grace_period: 60s", "stop_signal: SIGTERM", "read_only: true"] {
        assert!(lines(&service).contains(&line), "{line}");
    }
    let unit = order_service("deploy/order-service.service");
    let expected =
        ["Type=exec", "KillSignal=SIGTERM", "KillMode=mixed", "TimeoutStopSec=60", "Restart=on-failure"];
    for line in expected {
        assert!(lines(&unit).contains(&line), "{line}");
    }
}
