//! Product events' consumer as a resource: closing it leaves the group (R-SHUT-KFK-1).

use shutdown_runtime::resource;

use crate::broker::Cluster;
use crate::group_member::GroupMember;
use crate::start_error::StartError;

/// Where product events come from.
#[derive(Debug)]
#[resource(close = leave_group, budget = "5s")]
pub struct ProductFeed(GroupMember);

async fn leave_group(feed: &ProductFeed) {
    feed.0.leave();
}

impl ProductFeed {
    /// Makes the consumer and asks to join the group; it joins in the background.
    pub fn join(cluster: &Cluster, topic: &str, group: &str) -> Result<Self, StartError> {
        GroupMember::join(cluster, topic, group).map(Self)
    }

    pub(crate) fn member(&self) -> &GroupMember {
        &self.0
    }
}
