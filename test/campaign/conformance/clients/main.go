// Calls a running Cairn with the client that oapi-codegen generates from its openapi.json.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"

	"cairn/clients/cairn"
)

// Fails if the client cannot send the request or decode the response.
func must[T any](response *T, err error) *T {
	if err != nil {
		panic(err)
	}
	return response
}

func check(what string, response *http.Response, status int, holds bool) {
	if response.StatusCode == status && holds {
		return
	}
	fmt.Fprintf(os.Stderr, "go client: %s: %s\n", what, response.Status)
	os.Exit(1)
}

func main() {
	url, token, file := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	client, err := cairn.NewClientWithResponses(url, cairn.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		panic(err)
	}
	documents, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	target, yes := "4.16", true

	graph := must(client.GetGraphWithResponse(ctx, &cairn.GetGraphParams{Channel: "stable-4.14"}))
	check("graph", graph.HTTPResponse, 200, graph.ApplicationvndRedhatCincinnatiV1JSON200 != nil && len(graph.ApplicationvndRedhatCincinnatiV1JSON200.Nodes) > 0)
	tag := graph.HTTPResponse.Header.Get("ETag")
	known := must(client.GetGraphWithResponse(ctx, &cairn.GetGraphParams{Channel: "stable-4.14", IfNoneMatch: &tag}))
	check("known graph", known.HTTPResponse, 304, true)
	installable := must(client.ListOpenshiftVersionsWithResponse(ctx, &cairn.ListOpenshiftVersionsParams{OnlyLatest: &yes}))
	check("openshift-versions", installable.HTTPResponse, 200, installable.JSON200 != nil && len(*installable.JSON200) > 0)
	sources := must(client.ListReleaseSourcesWithResponse(ctx, nil))
	check("release-sources", sources.HTTPResponse, 200, sources.JSON200 != nil && len(*sources.JSON200) > 0)
	version := must(client.GetVersionWithResponse(ctx, "4.14.20", nil))
	check("version", version.HTTPResponse, 200, version.JSON200 != nil && version.JSON200.Version == "4.14.20")
	limit := 5
	channels := must(client.ListChannelsWithResponse(ctx, &cairn.ListChannelsParams{Limit: &limit}))
	check("channels", channels.HTTPResponse, 200, channels.JSON200 != nil && len(channels.JSON200.Channels) == limit)

	path := must(client.FindUpgradePathWithResponse(ctx, &cairn.FindUpgradePathParams{From: "4.14.20", To: &target}))
	check("upgrade path", path.HTTPResponse, 200, path.JSON200 != nil)
	found, err := path.JSON200.AsFoundUpgradePath()
	if err != nil {
		panic(err)
	}
	check("found path", path.HTTPResponse, 200, bool(found.Found) && len(found.Path) > 1)
	paths := must(client.FindUpgradePathsWithResponse(ctx, cairn.UpgradePathsRequest{Clusters: []cairn.ClusterQuestion{{From: "4.14.20", To: &target}}}))
	check("upgrade paths", paths.HTTPResponse, 200, paths.JSON200 != nil && paths.JSON200.Found == 1 && len(paths.JSON200.Mirror) > 0)

	plan := must(client.PlanUpgradeWithBodyWithResponse(ctx, &cairn.PlanUpgradeParams{Target: &target}, "application/json", bytes.NewReader(documents)))
	check("upgrade plan", plan.HTTPResponse, 200, plan.JSON200 != nil && len(plan.JSON200.Hops) > 0)
	stored := must(client.PutClusterWithBodyWithResponse(ctx, "go-client", nil, "application/json", bytes.NewReader(documents)))
	check("cluster report", stored.HTTPResponse, 201, stored.JSON201 != nil && stored.JSON201.Id == "go-client")
	cluster := must(client.GetClusterWithResponse(ctx, "go-client", nil))
	check("cluster", cluster.HTTPResponse, 200, cluster.JSON200 != nil && cluster.JSON200.Id == "go-client")
	fleet := must(client.ListClustersWithResponse(ctx, nil))
	check("fleet", fleet.HTTPResponse, 200, fleet.JSON200 != nil && len(fleet.JSON200.Clusters) > 0)
	pruners := must(client.ListImagePrunersWithResponse(ctx, nil))
	check("image pruners", pruners.HTTPResponse, 200, pruners.JSON200 != nil)

	refused := must(client.GetClusterWithResponse(ctx, "no~name", nil))
	problem := refused.ApplicationproblemJSON400
	check("refused request", refused.HTTPResponse, 400, problem != nil && problem.Status == 400 && (*problem.Errors)[0].Parameter != nil && *(*problem.Errors)[0].Parameter == "id")
	stranger, err := cairn.NewClientWithResponses(url)
	if err != nil {
		panic(err)
	}
	closed := must(stranger.GetSyncWithResponse(ctx, nil))
	check("request without a token", closed.HTTPResponse, 401, closed.ApplicationproblemJSON401 != nil)
	fmt.Println("go client: all calls hold")
}
