import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_KINDS } from '@cairn/shared/cluster/document-kinds';
import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { clusterKinds } from '@cairn/shared/cluster/kinds';
import { IMAGE_GROUPS, USING_KINDS } from '@cairn/shared/prune/images/in-use/kinds';
import { readSchedule } from '@cairn/shared/prune/schedule/read-schedule';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  CLUSTER_QUERIES,
  type ClusterQuery,
  COUNT_QUERIES,
  queryName,
  queryPath,
  IMAGE_QUERIES,
  IN_USE_QUERIES,
  REPORT_QUERIES,
  WORKLOAD_QUERIES,
} from '../../../../functions/cli/cluster/queries.ts';
import { report } from '../../../../functions/cli/commands/report.ts';
import { parseCommandLine } from '../../../../functions/command-line/parse.ts';
import { matchPath } from '../../../../functions/http/match-path.ts';
import { routes } from '../../../../functions/routes.ts';
import { MANIFESTS } from './manifest-schemas.ts';
import { type ClusterObject, FOLDER, manifestsIn, ofKind, textOf } from './manifests.ts';
import { grantedRights, neededRights } from './rights.ts';

const COMPONENTS = [
  'components/in-use',
  'components/in-use-images',
  'components/workloads',
  'components/alerts',
  'components/risks',
  'components/metrics',
] as const;
const FOLDERS = ['base', ...COMPONENTS, 'overlays/example'];
const base = manifestsIn('base');
const VERSION = (
  JSON.parse(readFileSync(join(FOLDER, '../../package.json'), 'utf8')) as { readonly version: string }
).version;

const kindsOf = (queries: readonly ClusterQuery[]) =>
  new Set(queries.map(({ kind, group }) => `${kind} of ${group}`));

describe('what is read of a cluster', () => {
  it('is read by a reader of its kind and group', () => {
    const { find } = clusterKinds({ isRemovedApi: () => false });
    for (const { kind, group, version, facts } of DOCUMENT_KINDS) {
      expect(find(kind, group === '' ? version : `${group}/${version}`), kind).not.toBeNull();
      expect(facts.length, kind).toBeGreaterThan(0);
    }
    expect(find('Secret', 'v1')).toBeNull();
    expect(find('Node', 'example.com/v1')).toBeNull();
  });

  it('gives every fact but alerts and counts, which are no objects', () => {
    const facts = new Set(DOCUMENT_KINDS.flatMap((row) => row.facts));
    expect(REPORTED_KINDS.filter((fact) => !facts.has(fact))).toEqual([
      'objectCounts',
      'riskAnswers',
      'alerts',
    ]);
  });

  it('is no Secret, and of MachineConfigs only metadata', () => {
    const read = [...REPORT_QUERIES, ...WORKLOAD_QUERIES];
    expect(read.map(({ kind }) => kind)).not.toContain('Secret');
    expect(read.filter(({ kind, isMetadata }) => kind === 'MachineConfig' || isMetadata)).toMatchObject([
      { kind: 'MachineConfig', isMetadata: true, facts: ['configReleases'] },
    ]);
  });

  it('is every kind that uses images, and no other', () => {
    expect(kindsOf(IN_USE_QUERIES)).toEqual(
      new Set([
        ...USING_KINDS.map(({ kind, groups: [group] }) => `${kind} of ${group}`),
        `ImageStream of ${IMAGE_GROUPS[0]}`,
      ]),
    );
    expect(kindsOf(IMAGE_QUERIES)).toEqual(new Set([`Image of ${IMAGE_GROUPS[0]}`]));
  });
});

describe('the paths to paste', () => {
  const pathsIn = (file: string): string[] =>
    [
      ...readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8').matchAll(
        /^ {2}'?(\/apis?\/[^\s']+)/gm,
      ),
    ].map(([, path]) => path!);
  const pathOf = (query: ClusterQuery) =>
    queryPath(query) +
    (query.selector === undefined ? '' : `?labelSelector=${query.selector.replace('!', '%21')}`);

  it.each([
    ['functions/console/fleet/add-cluster.tsx', CLUSTER_QUERIES],
    // The metadata alone is not printed by oc.
    ['infra/cluster/README.md', REPORT_QUERIES.filter(({ isMetadata }) => !isMetadata)],
  ])('of %s are those of the list', (file, queries) => {
    expect(pathsIn(file).toSorted()).toEqual(queries.map(pathOf).toSorted());
  });
});

describe('the rights of the reporter', () => {
  const facts = neededRights([...REPORT_QUERIES, ...COUNT_QUERIES]);
  const risks = new Set([
    'get deployments.apps/image-registry in openshift-image-registry',
    'list configmaps in openshift-cloud-controller-manager',
  ]);

  it('are those to read what it reads, and no other', () => {
    const granted = grantedRights(manifestsIn('components/risks'));
    expect(granted).toEqual(risks);
    expect(new Set([...grantedRights(base), ...granted])).toEqual(facts);
  });

  it.each([
    [COMPONENTS[0], IN_USE_QUERIES],
    [COMPONENTS[1], IMAGE_QUERIES],
    [COMPONENTS[2], WORKLOAD_QUERIES],
  ])('of %s are those that it reads more', (folder, queries) => {
    expect(grantedRights(manifestsIn(folder))).toEqual(
      new Set([...neededRights(queries)].filter((right) => !facts.has(right))),
    );
  });

  it('of alerts are for one API of the monitoring', () => {
    expect(grantedRights(manifestsIn(COMPONENTS[3]))).toEqual(
      new Set(['get prometheuses/api.monitoring.coreos.com/k8s in openshift-monitoring']),
    );
    const [, setting] = /path: \/data\/(\w+)/.exec(textOf(`${COMPONENTS[3]}/kustomization.yaml`))!;
    expect(report.flags['alerts']!.variable).toBe(setting);
  });

  it('of metrics are those of the role for monitoring', () => {
    const objects = manifestsIn(COMPONENTS[5]).map(({ object }) => object);
    expect(objects.filter(({ kind }) => kind !== 'Component')).toEqual([
      expect.objectContaining({
        kind: 'ClusterRoleBinding',
        roleRef: expect.objectContaining({ kind: 'ClusterRole', name: 'cluster-monitoring-view' }),
      }),
    ]);
    const [, setting] = /path: \/data\/(\w+)/.exec(textOf(`${COMPONENTS[5]}/kustomization.yaml`))!;
    expect(report.flags['metrics']!.variable).toBe(setting);
  });

  it('are listed in the README, and no others', () => {
    const [, section] = /## What it may read\n([^]*?)\nA kind that/.exec(textOf('README.md'))!;
    const told = Array.from(
      section!.matchAll(/`([a-z]+s(?:\.[a-z0-9.]+)?(?:\/[a-z-]+)?|[a-z-]+s\.[a-z0-9.]+)`/g),
      ([, name]) => name!,
    );
    const known = [
      ...REPORT_QUERIES,
      ...COUNT_QUERIES,
      ...WORKLOAD_QUERIES,
      ...IN_USE_QUERIES,
      ...IMAGE_QUERIES,
    ];
    expect(new Set(told)).toEqual(new Set(known.map(queryName)));
  });

  it('are compared by every part of them', () => {
    const rule = { apiGroups: [''], resources: ['pods'], verbs: ['list'] };
    const meta = { name: 'a' };
    const subjects = [{ kind: 'ServiceAccount', name: 'cairn-reporter', namespace: 'cairn-reporter' }];
    const given = (rules: readonly object[], changes: Partial<ClusterObject> = {}) =>
      grantedRights(
        [
          { apiVersion: 'v1', kind: 'ClusterRole', metadata: meta, rules },
          {
            apiVersion: 'v1',
            kind: 'ClusterRoleBinding',
            metadata: meta,
            roleRef: { kind: 'ClusterRole', name: 'a' },
            subjects,
            ...changes,
          },
        ].map((object, at) => ({ place: String(at), object })),
      );
    const needed = neededRights([{ kind: 'Pod', group: '', version: 'v1', resource: 'pods' }]);
    expect(given([rule])).toEqual(needed);
    for (const changed of [
      { ...rule, verbs: ['list', 'watch'] },
      { ...rule, verbs: ['get'] },
      { ...rule, verbs: ['*'] },
      { ...rule, resources: ['pods', 'secrets'] },
      { ...rule, resources: ['pods/log'] },
      { ...rule, apiGroups: ['*'] },
      { ...rule, resourceNames: ['a'] },
    ]) {
      expect(given([changed]), JSON.stringify(changed)).not.toEqual(needed);
    }
    expect(() => given([rule], { subjects: [{ ...subjects[0], name: 'default' }] })).toThrow('binds nobody');
    expect(() => given([rule], { roleRef: { kind: 'ClusterRole', name: 'b' } })).toThrow('binds nobody');
  });
});

describe('the manifests', () => {
  it.each(FOLDERS.flatMap(manifestsIn).map(({ place, object }) => [place, object] as const))(
    '%s is as its kind has to be',
    (_place, object) => {
      expect(MANIFESTS[object.kind]?.safeParse(object).error?.issues ?? null).toBeNull();
      expect(Object.keys(MANIFESTS)).toContain(object.kind);
    },
  );

  it('refuse what Kubernetes would drop', () => {
    const [job] = ofKind(base, 'CronJob') as [ClusterObject];
    const wrong = [
      { ...job, apiVersion: 'batch/v1beta1' },
      { ...job, spec: { ...(job['spec'] as object), concurencyPolicy: 'Forbid' } },
      { ...job, metadata: { name: 'Reporter' } },
    ];
    expect(wrong.map((object) => MANIFESTS['CronJob']!.safeParse(object).success)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('are all named by the kustomization of their folder, which names no other', () => {
    for (const folder of FOLDERS) {
      const files = readdirSync(join(FOLDER, folder)).filter((name) => name !== 'kustomization.yaml');
      const { resources, components = [] } = parse(textOf(`${folder}/kustomization.yaml`)) as {
        readonly resources: readonly string[];
        readonly components?: readonly string[];
      };
      const [own, others] = [
        resources.filter((path) => !path.startsWith('..')),
        [...resources, ...components],
      ];
      expect(own.toSorted(), folder).toEqual(files.toSorted());
      for (const path of others)
        expect(existsSync(join(FOLDER, folder, path)), `${folder}: ${path}`).toBe(true);
    }
  });

  it('keep to one namespace, but for the roles beside what they are for', () => {
    const namespaces = base
      .map(({ object }) => object.metadata?.namespace)
      .filter((name) => name !== undefined);
    expect(new Set(namespaces)).toEqual(
      new Set([
        'cairn-reporter',
        'openshift-config',
        'openshift-config-managed',
        'openshift-machine-config-operator',
      ]),
    );
    const elsewhere = base.filter(({ object }) => object.metadata?.namespace?.startsWith('openshift-'));
    expect(new Set(elsewhere.map(({ object }) => object.kind))).toEqual(new Set(['Role', 'RoleBinding']));
  });

  it('call a command that there is, with settings that it reads', () => {
    const [job] = ofKind(base, 'CronJob') as [ClusterObject];
    const { containers } = podSpecOf(job);
    const [{ args, image }] = containers as [{ args: string[]; image: string }];
    const [{ data }] = ofKind(base, 'ConfigMap') as [ClusterObject & { data: Record<string, string> }];
    const given = parseCommandLine(report, args.slice(1), { ...data, CAIRN_IN_USE: 'a,b' })!;
    expect(args[0]).toBe(report.name);
    expect([
      given.isSet('in-cluster') && given.isSet('follow'),
      given.arguments,
      given.list('in-use'),
    ]).toEqual([true, [], ['a', 'b']]);
    expect([given.text('url'), given.text('cluster')]).toEqual([data['CAIRN_URL'], data['CAIRN_CLUSTER']]);
    expect(image.split(':').at(-1)).toBe(VERSION);
  });

  it('run by a schedule, one at a time, with as little as they need', () => {
    const [job] = ofKind(base, 'CronJob') as [ClusterObject & { spec: { schedule: string } }];
    expect(readSchedule(job.spec.schedule).ok).toBe(true);
    // A job that follows an update ends before its deadline, and before the run that begins an hour later.
    expect(job.spec).toMatchObject({
      schedule: '*/15 * * * *',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 600,
      jobTemplate: { spec: { activeDeadlineSeconds: 3600 } },
    });
    expect(podSpecOf(job)).toMatchObject({
      automountServiceAccountToken: true,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    });
    expect(ofKind(base, 'ServiceAccount')).toMatchObject([{ automountServiceAccountToken: false }]);
  });
});

describe('what goes with them', () => {
  it('the image has the version of the project, and starts a file that is packed', () => {
    const file = textOf('Containerfile');
    expect(file).toContain(`ARG VERSION=${VERSION}\n`);
    const pack = readFileSync(join(FOLDER, '../build/cli.ts'), 'utf8');
    // npm puts what it packs below this folder.
    const [, started] = /ENTRYPOINT \["node", "\/opt\/cairn\/package\/([^"]+)"\]/.exec(file)!;
    expect(pack).toContain(`files: ['${started}']`);
  });

  it('the policy for a reporter names routes that there are', () => {
    const names = [...textOf('README.md').matchAll(/API\/\$default\/([A-Z]+)(\/v1\/[^"]+)"/g)];
    const found = names.map(
      ([, method, path]) => matchPath(routes, path!).find(({ route }) => route.method === method)?.route.id,
    );
    expect(found).toEqual(['getCluster', 'putCluster', 'createUpload', 'getImagePruner', 'putImagesInUse']);
  });

  it('the fleet of the README is YAML, and patches what is there', () => {
    const [, text] = /```yaml\n(apiVersion: argoproj[^]*?)```/.exec(textOf('README.md'))!;
    const set = parse(text!) as { spec: { template: { spec: { source: Record<string, never> } } } };
    const { path, kustomize } = set.spec.template.spec.source as unknown as {
      path: string;
      kustomize: { patches: { target: { kind: string; name: string }; patch: string }[]; images: string[] };
    };
    expect(path).toBe('infra/cluster/base');
    const [job] = ofKind(base, 'CronJob') as [ClusterObject];
    const [{ image }] = podSpecOf(job).containers as [{ image: string }];
    expect(kustomize.images.map((name) => name.split('=')[0])).toEqual([image.split(':')[0]]);
    for (const { target, patch } of kustomize.patches) {
      const [object] = ofKind(base, target.kind) as [ClusterObject];
      expect(object.metadata!.name).toBe(target.name);
      for (const [, pointer] of patch.matchAll(/path: (\S+)/g)) {
        const value = pointer!
          .split('/')
          .slice(1)
          .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], object);
        expect(value, pointer).toBeTypeOf('string');
      }
    }
  });
});

function podSpecOf(job: ClusterObject): { readonly containers: readonly object[] } {
  const { spec } = job as unknown as {
    spec: { jobTemplate: { spec: { template: { spec: { containers: object[] } } } } };
  };
  return spec.jobTemplate.spec.template.spec;
}
