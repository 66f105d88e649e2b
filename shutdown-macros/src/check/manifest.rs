//! Whether the Kubernetes manifest that a plan names grants what the plan counts on (feature `kubernetes`).

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use syn::LitStr;

use crate::diag::{Problem, Problems};
use crate::model::manifest::{PreStop, Workload, workloads};
use crate::model::plan::{Budgets, Plan};
use crate::parse::duration::as_written;

/// The largest file that is read.
const LARGEST: u64 = 1 << 20;

/// Reads the manifest, and judges every workload in it.
pub(super) fn check(plan: &Plan, problems: &mut Problems) {
    let Some(manifest) = &plan.manifest else { return };
    let found = read(&manifest.file).and_then(|text| workloads(&text));
    let workloads = match found {
        Ok(workloads) => workloads,
        Err(why) => {
            let what = format!("`{}`: {why}", manifest.written.value());
            let problem = Problem::at(&manifest.written, "bad-manifest", what);
            problems.push(problem.help(
                "name the file of the service's Deployment, from the directory of this crate's `Cargo.toml`",
            ));
            return;
        }
    };
    for workload in &workloads {
        grace(workload, &plan.budgets, &manifest.written, problems);
        hooks(workload, &plan.budgets, &manifest.written, problems);
    }
}

fn read(file: &Path) -> Result<String, String> {
    let opened = fs::File::open(file).map_err(|error| unread(&error))?;
    let mut text = String::new();
    let read = opened.take(LARGEST + 1).read_to_string(&mut text);
    match read {
        Ok(_) if text.len() as u64 > LARGEST => {
            Err(String::from("it is larger than a manifest may be, 1 MiB"))
        }
        Ok(_) => Ok(text),
        Err(error) => Err(unread(&error)),
    }
}

fn unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => String::from("there is no such file"),
        other => format!("it cannot be read: {other}"),
    }
}

/// The budget is what the platform grants: it must grant so much.
fn grace(workload: &Workload, budgets: &Budgets, written: &LitStr, problems: &mut Problems) {
    let Some(budget) = &budgets.budget else { return };
    if workload.grace >= budget.value {
        return;
    }
    let (granted, name) = (shown(workload.grace), &workload.name);
    let by_default = if workload.written { "" } else { " by default" };
    let what = format!(
        "`{}` grants `{name}` {granted}{by_default}, and the plan counts on a budget of {}",
        written.value(),
        shown(budget.value)
    );
    let problem = Problem::at(written, "manifest-grants-less", what);
    let seconds = budget.value.div_ceil(1_000);
    problems.push(
        problem
            .help(format!("write `terminationGracePeriodSeconds: {seconds}` into the pod's `spec` there"))
            .help(format!("or `budget = \"{granted}\"` here, with phases that fit it")),
    );
}

/// What the `preStop` hook spends is what the plan counts on: more would be missing at the end, less in the window.
fn hooks(workload: &Workload, budgets: &Budgets, written: &LitStr, problems: &mut Problems) {
    let (pre_stop, name) = (budgets.pre_stop, &workload.name);
    let known = workload.hooks.iter().filter_map(|hook| match hook {
        PreStop::Sleeps(millis) => Some(*millis),
        PreStop::Other => None,
    });
    let other = workload.hooks.contains(&PreStop::Other);
    // Of several containers one is the service; a helper beside it may sleep as it likes.
    if known.clone().any(|millis| millis == pre_stop) || (workload.hooks.is_empty() && pre_stop == 0) {
        return;
    }
    if other && pre_stop > 0 {
        return;
    }
    let what = match known.max() {
        Some(millis) => format!("the `preStop` of `{name}` takes {}", shown(millis)),
        None if other => format!("the `preStop` of `{name}` takes time"),
        None => format!("`{name}` has no `preStop`"),
    };
    let counted = if pre_stop == 0 {
        String::from("the plan has no `pre_stop`")
    } else {
        format!("the plan counts on `pre_stop = \"{}\"`", shown(pre_stop))
    };
    let what = format!("in `{}` {what}, and {counted}", written.value());
    let seconds = pre_stop.div_ceil(1_000);
    let there = if pre_stop == 0 {
        String::from("take the hook out there")
    } else {
        format!(
            "write `lifecycle: {{ preStop: {{ sleep: {{ seconds: {seconds} }} }} }}` into its container there"
        )
    };
    problems.push(
        Problem::at(written, "manifest-grants-less", what)
            .help(there)
            .help("or write here as `pre_stop` what the hook takes"),
    );
}

fn shown(millis: u64) -> String {
    as_written(millis.into())
}
