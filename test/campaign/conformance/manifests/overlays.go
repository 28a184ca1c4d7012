package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

// withEveryComponent makes an overlay of the base and all components.
func withEveryComponent(folder, overlay string) (string, error) {
	found, err := filepath.Glob(filepath.Join(folder, "components", "*"))
	if err != nil {
		return "", err
	}
	components := []string{}
	for _, path := range found {
		relative, err := filepath.Rel(overlay, path)
		if err != nil {
			return "", err
		}
		components = append(components, relative)
	}
	return overlay, write(folder, overlay, map[string]any{"components": components})
}

// An ApplicationSet of Argo CD, as far as it is about kustomize.
type applicationSet struct {
	Spec struct {
		Template struct {
			Spec struct {
				Source struct {
					Kustomize struct {
						Images  []string `json:"images"`
						Patches []struct {
							Target map[string]string `json:"target"`
							Patch  string            `json:"patch"`
						} `json:"patches"`
					} `json:"kustomize"`
				} `json:"source"`
			} `json:"spec"`
		} `json:"template"`
	} `json:"spec"`
}

// asTheReadmeTells makes the overlay that Argo CD makes of the ApplicationSet in the README, for one cluster.
func asTheReadmeTells(folder, overlay string) (string, error) {
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile("(?s)```yaml\n(apiVersion: argoproj.*?)```").FindSubmatch(readme)
	if found == nil {
		return "", fmt.Errorf("the README has no ApplicationSet")
	}
	var set applicationSet
	if err := yaml.Unmarshal(found[1], &set); err != nil {
		return "", err
	}
	kustomize := set.Spec.Template.Spec.Source.Kustomize
	patches := []any{}
	for _, patch := range kustomize.Patches {
		text, err := fill(patch.Patch)
		if err != nil {
			return "", err
		}
		patches = append(patches, map[string]any{"target": patch.Target, "patch": text})
	}
	images := []any{}
	for _, image := range kustomize.Images {
		name, other, _ := strings.Cut(image, "=")
		newName, newTag, _ := strings.Cut(other, ":")
		images = append(images, map[string]any{"name": name, "newName": newName, "newTag": newTag})
	}
	return overlay, write(folder, overlay, map[string]any{"patches": patches, "images": images})
}

// fill does what an ApplicationSet with goTemplate does.
func fill(text string) (string, error) {
	functions := sprig.TxtFuncMap()
	parsed, err := template.New("").Option("missingkey=error").Funcs(functions).Parse(text)
	if err != nil {
		return "", err
	}
	cluster := map[string]any{"name": "prod-eu-1", "nameNormalized": "prod-eu-1", "server": "https://api.example.com"}
	var filled strings.Builder
	if err := parsed.Execute(&filled, cluster); err != nil {
		return "", err
	}
	if schedule := regexp.MustCompile(`(?s)/spec/schedule\s+value: (.*)\n`).FindStringSubmatch(filled.String()); schedule != nil {
		if !regexp.MustCompile(`^([0-9]|1[0-4])-59/15 \* \* \* \*$`).MatchString(schedule[1]) {
			return "", fmt.Errorf("%q is not every 15 minutes", schedule[1])
		}
	}
	return filled.String(), nil
}

// write makes an overlay of the base with these fields more.
func write(folder, overlay string, fields map[string]any) error {
	base, err := filepath.Rel(overlay, filepath.Join(folder, "base"))
	if err != nil {
		return err
	}
	fields["resources"] = []string{base}
	text, err := yaml.Marshal(fields)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(overlay, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(overlay, "kustomization.yaml"), text, 0o644)
}
