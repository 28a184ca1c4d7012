// Builds the manifests of the reporter as kustomize does, and holds every object against the types of Kubernetes: no
// field by another name, none twice, and pods that a namespace under the policy `restricted` takes.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	folder, err := filepath.Abs(os.Args[1])
	if err == nil {
		err = run(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run checks all that a folder with manifests can be rolled out as.
func run(folder string) error {
	work, err := os.MkdirTemp("", "cairn-manifests-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	everything, err := withEveryComponent(folder, filepath.Join(work, "everything"))
	if err != nil {
		return err
	}
	fleet, err := asTheReadmeTells(folder, filepath.Join(work, "fleet"))
	if err != nil {
		return err
	}
	for _, build := range []struct{ name, path string }{
		{"base", filepath.Join(folder, "base")},
		{"overlays/example", filepath.Join(folder, "overlays", "example")},
		{"base with every component", everything},
		{"base as the ApplicationSet of the README has it", fleet},
	} {
		count, err := check(build.path)
		if err != nil {
			return fmt.Errorf("%s: %w", build.name, err)
		}
		fmt.Printf("%s: %d objects\n", build.name, count)
	}
	return nil
}

// check builds a folder, decodes all that comes out strictly, and tells how many objects there are.
func check(path string) (int, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), path)
	if err != nil {
		return 0, err
	}
	decoder := serializer.NewCodecFactory(types(), serializer.EnableStrict).UniversalDeserializer()
	for _, resource := range built.Resources() {
		text, err := resource.AsYAML()
		if err != nil {
			return 0, err
		}
		object, _, err := decoder.Decode(text, nil, nil)
		if err != nil {
			return 0, fmt.Errorf("%s %s: %w", resource.GetKind(), resource.GetName(), err)
		}
		if err := checkObject(object); err != nil {
			return 0, fmt.Errorf("%s %s: %w", resource.GetKind(), resource.GetName(), err)
		}
	}
	return built.Size(), nil
}

func types() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, batchv1.AddToScheme, rbacv1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return scheme
}

func checkObject(object runtime.Object) error {
	switch known := object.(type) {
	case *batchv1.CronJob:
		return checkPod(&known.Spec.JobTemplate.Spec.Template)
	case *corev1.Namespace:
		if known.Labels[api.EnforceLevelLabel] != string(api.LevelRestricted) {
			return fmt.Errorf("its pods are held to %q", known.Labels[api.EnforceLevelLabel])
		}
	case *corev1.ConfigMap:
		for name, value := range known.Data {
			if strings.TrimSpace(value) == "" {
				return fmt.Errorf("%s is empty", name)
			}
		}
	}
	_, err := meta.Accessor(object)
	return err
}

func checkPod(pod *corev1.PodTemplateSpec) error {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return err
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec))
	if !result.Allowed {
		return fmt.Errorf("a namespace under restricted refuses it: %s", result.ForbiddenDetail())
	}
	return nil
}
