//! What a Kubernetes manifest grants the pods in it (feature `kubernetes`).

use saphyr::{LoadableYamlNode as _, Yaml};

/// Kubernetes' default of `terminationGracePeriodSeconds`.
const DEFAULT_GRACE: u64 = 30;

/// A pod, or what makes pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Workload {
    /// Its kind and name: `Deployment/orders`.
    pub(crate) name: String,
    /// `terminationGracePeriodSeconds`, in milliseconds.
    pub(crate) grace: u64,
    /// Whether that is written.
    pub(crate) written: bool,
    /// The `preStop` hooks of its containers.
    pub(crate) hooks: Vec<PreStop>,
}

/// What a `preStop` hook takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PreStop {
    /// It sleeps so long, in milliseconds.
    Sleeps(u64),
    /// A command or a request of which nobody knows.
    Other,
}

/// Every workload in the documents of a file; a service, a config map and the like are none.
pub(crate) fn workloads(text: &str) -> Result<Vec<Workload>, String> {
    let documents = Yaml::load_from_str(text).map_err(|error| format!("it is no YAML: {error}"))?;
    let mut workloads = Vec::new();
    for document in &documents {
        match document.as_mapping_get("items").and_then(Yaml::as_vec) {
            // A `List`, as `kubectl get` writes it.
            Some(items) => items.iter().try_for_each(|item| enter(item, &mut workloads))?,
            None => enter(document, &mut workloads)?,
        }
    }
    if workloads.is_empty() {
        return Err(String::from("no pod stands in it: no Deployment, StatefulSet, DaemonSet, Job or Pod"));
    }
    Ok(workloads)
}

fn enter(object: &Yaml<'_>, workloads: &mut Vec<Workload>) -> Result<(), String> {
    let kind = at(object, &["kind"]).and_then(Yaml::as_str).unwrap_or("object");
    let pod = if kind == "Pod" {
        at(object, &["spec"])
    } else {
        at(object, &["spec", "template", "spec"])
            .or_else(|| at(object, &["spec", "jobTemplate", "spec", "template", "spec"]))
    };
    let Some(pod) = pod else { return Ok(()) };
    let Some(containers) = at(pod, &["containers"]).and_then(Yaml::as_vec) else { return Ok(()) };
    let name = at(object, &["metadata", "name"]).and_then(Yaml::as_str);
    let name = name.map_or_else(|| kind.to_owned(), |name| format!("{kind}/{name}"));
    let grace = at(pod, &["terminationGracePeriodSeconds"]).filter(|value| !value.is_null());
    let seconds = match grace {
        Some(value) => seconds(value).ok_or_else(|| {
            format!("`terminationGracePeriodSeconds` of `{name}` is no whole number of seconds")
        })?,
        None => DEFAULT_GRACE,
    };
    let mut hooks = Vec::new();
    for hook in containers.iter().filter_map(|container| at(container, &["lifecycle", "preStop"])) {
        hooks.push(
            pre_stop(hook).ok_or_else(|| {
                format!("`preStop.sleep.seconds` of `{name}` is no whole number of seconds")
            })?,
        );
    }
    workloads.push(Workload { name, grace: seconds.saturating_mul(1_000), written: grace.is_some(), hooks });
    Ok(())
}

fn at<'a, 'input>(value: &'a Yaml<'input>, path: &[&str]) -> Option<&'a Yaml<'input>> {
    path.iter().try_fold(value, |value, key| value.as_mapping_get(key))
}

fn seconds(value: &Yaml<'_>) -> Option<u64> {
    value.as_integer().and_then(|seconds| u64::try_from(seconds).ok())
}

/// `None` for a sleep whose length cannot be read.
fn pre_stop(hook: &Yaml<'_>) -> Option<PreStop> {
    if let Some(sleep) = at(hook, &["sleep"]) {
        return at(sleep, &["seconds"]).and_then(seconds).map(sleeps);
    }
    let command = at(hook, &["exec", "command"]).and_then(Yaml::as_vec);
    let words: Vec<&str> = command.into_iter().flatten().filter_map(Yaml::as_str).collect();
    // What is written as a number is none to `as_str`.
    let number = command.and_then(|command| command.last()).and_then(seconds);
    let slept = match (words.as_slice(), number) {
        ([sleep], Some(seconds)) if is_sleep(sleep) => Some(seconds),
        ([sleep, time], None) if is_sleep(sleep) => in_seconds(time),
        ([.., "-c", script], None) => match script.split_whitespace().collect::<Vec<_>>().as_slice() {
            [sleep, time] if is_sleep(sleep) => in_seconds(time),
            _ => None,
        },
        _ => None,
    };
    Some(slept.map_or(PreStop::Other, sleeps))
}

fn sleeps(seconds: u64) -> PreStop {
    PreStop::Sleeps(seconds.saturating_mul(1_000))
}

fn is_sleep(word: &str) -> bool {
    word.rsplit('/').next() == Some("sleep")
}

/// `10` or `10s`, as the command takes them.
fn in_seconds(time: &str) -> Option<u64> {
    time.trim_end_matches(';').trim_end_matches('s').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{PreStop, workloads};

    fn pod(rest: &str) -> String {
        format!("kind: Pod\nmetadata: {{name: a}}\nspec:\n  containers: [{{name: a{rest}}}]\n")
    }

    fn hook(hook: &str) -> Result<Vec<PreStop>, String> {
        let text = pod(&format!(", lifecycle: {{preStop: {hook}}}"));
        workloads(&text).map(|found| found.into_iter().flat_map(|workload| workload.hooks).collect())
    }

    #[test]
    fn hooks() {
        for sleep in [
            "{sleep: {seconds: 5}}",
            "{exec: {command: [sleep, 5]}}",
            "{exec: {command: [/bin/sleep, \"5\"]}}",
            "{exec: {command: [sleep, 5s]}}",
            "{exec: {command: [/bin/sh, -c, sleep 5]}}",
        ] {
            assert_eq!(hook(sleep), Ok(vec![PreStop::Sleeps(5_000)]), "{sleep}");
        }
        for other in ["{exec: {command: [sh, -c, \"curl x; sleep 5\"]}}", "{httpGet: {path: /, port: 1}}"] {
            assert_eq!(hook(other), Ok(vec![PreStop::Other]), "{other}");
        }
        assert!(hook("{sleep: {seconds: soon}}").is_err());
        assert!(hook("{sleep: {seconds: -1}}").is_err());
    }

    #[test]
    fn documents() {
        let two = format!("{}---\n{}---\nkind: Service\n---\n", pod(""), pod(""));
        assert_eq!(workloads(&two).map(|found| found.len()), Ok(2));
        let list =
            "kind: List\nitems: [{kind: Pod, spec: {terminationGracePeriodSeconds: 7, containers: []}}]";
        let found = workloads(list).unwrap_or_default();
        assert_eq!(
            found.iter().map(|each| (each.name.as_str(), each.grace)).collect::<Vec<_>>(),
            [("Pod", 7_000)]
        );
        for bad in ["", "a: [", "kind: Service", "- 1", "kind: Deployment\nspec: 5", "{{ .Values.all }}"] {
            assert!(workloads(bad).is_err(), "{bad}");
        }
        let templated =
            "kind: Pod\nspec: {containers: [], terminationGracePeriodSeconds: \"{{ .Values.grace }}\"}";
        assert!(workloads(templated).is_err_and(|why| why.contains("no whole number")));
    }
}
