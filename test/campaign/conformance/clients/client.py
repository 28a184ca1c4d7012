"""Calls a running Cairn with the client that openapi-python-client generates from its openapi.json."""

import gzip
import io
import sys
from pathlib import Path

from cairn_client import AuthenticatedClient
from cairn_client.api.channels import list_channels
from cairn_client.api.clusters import get_cluster, list_clusters, put_cluster
from cairn_client.api.image_pruners import list_image_pruners
from cairn_client.api.sync import get_sync
from cairn_client.api.update_graph import get_graph
from cairn_client.api.upgrade_paths import find_upgrade_path, find_upgrade_paths
from cairn_client.api.upgrade_plans import plan_upgrade
from cairn_client.api.versions import get_version, list_openshift_versions, list_release_sources
from cairn_client.models import (
    ChannelPage,
    ClusterDetail,
    ClusterPage,
    ClusterQuestion,
    FoundUpgradePath,
    ImagePrunerPage,
    OpenshiftVersions,
    Problem,
    UpdateGraph,
    UpgradePaths,
    UpgradePathsRequest,
    UpgradePlan,
    VersionDetail,
)
from cairn_client.types import File

url, token, file = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)


def documents() -> File:
    """The documents, compressed: a body that is not JSON is a file."""
    payload = io.BytesIO(gzip.compress(Path(file).read_bytes()))
    return File(payload=payload, file_name="cluster.json.gz", mime_type="application/gzip")


graph = get_graph.sync(client=client, channel="stable-4.14")
assert isinstance(graph, UpdateGraph) and graph.nodes
installable = list_openshift_versions.sync(client=client, only_latest=True)
assert isinstance(installable, OpenshiftVersions) and installable.additional_properties
sources = list_release_sources.sync(client=client)
assert isinstance(sources, list) and sources
version = get_version.sync("4.14.20", client=client)
assert isinstance(version, VersionDetail) and version.version == "4.14.20"
channels = list_channels.sync(client=client, limit=5)
assert isinstance(channels, ChannelPage) and len(channels.channels) == 5

path = find_upgrade_path.sync(client=client, from_="4.14.20", to="4.16")
assert isinstance(path, FoundUpgradePath) and len(path.path) > 1
question = UpgradePathsRequest(clusters=[ClusterQuestion(from_="4.14.20", to="4.16")])
paths = find_upgrade_paths.sync(client=client, body=question)
assert isinstance(paths, UpgradePaths) and paths.found == 1 and paths.mirror

plan = plan_upgrade.sync(client=client, body=documents(), target="4.16")
assert isinstance(plan, UpgradePlan) and plan.hops
stored = put_cluster.sync("python-client", client=client, body=documents())
assert isinstance(stored, ClusterDetail) and stored.id == "python-client"
cluster = get_cluster.sync("python-client", client=client)
assert isinstance(cluster, ClusterDetail) and cluster.id == "python-client"
fleet = list_clusters.sync(client=client)
assert isinstance(fleet, ClusterPage) and fleet.clusters
pruners = list_image_pruners.sync(client=client)
assert isinstance(pruners, ImagePrunerPage)

refused = get_cluster.sync("no~name", client=client)
assert isinstance(refused, Problem) and refused.status == 400
assert isinstance(refused.errors, list) and refused.errors[0].parameter == "id"
closed = get_sync.sync_detailed(client=AuthenticatedClient(base_url=url, token="wrong"))
assert closed.status_code == 401 and isinstance(closed.parsed, Problem)
print("python client: all calls hold")
