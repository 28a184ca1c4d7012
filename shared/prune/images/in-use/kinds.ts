import type { InputValue } from '../../../input/input-value.ts';
import { readBuildSpec, readPodSpec, readPodStatus, readTriggers, type Referrer } from './collector.ts';
import { readTime } from './facts.ts';

export interface UsingKind {
  readonly kind: string;
  readonly groups: readonly string[];
  /** Lower case, as in `oc get`. */
  readonly names: readonly string[];
  /** Returns the number of references; null for an object that does not count as a user. */
  readonly read: (object: InputValue, referrer: Referrer, youngerThan: number) => number | null;
}

const inTemplate =
  (...path: readonly string[]): UsingKind['read'] =>
  (object, referrer) =>
    readPodSpec(object.at('spec', ...path, 'template', 'spec'), referrer);

const APPS = ['apps', 'extensions'];

const BUILDS = ['build.openshift.io', ''];

/** Kind, groups, short name in `oc get`, reader. A kind missing from the documents can hide uses. */
const ROWS: readonly (readonly [string, readonly string[], string | null, UsingKind['read']])[] = [
  ['Pod', [''], 'po', readPod],
  ['ReplicationController', [''], 'rc', inTemplate()],
  ['ReplicaSet', APPS, 'rs', inTemplate()],
  ['Deployment', APPS, 'deploy', inTemplate()],
  ['StatefulSet', APPS, 'sts', inTemplate()],
  ['DaemonSet', APPS, 'ds', inTemplate()],
  ['Job', ['batch'], null, inTemplate()],
  ['CronJob', ['batch'], 'cj', inTemplate('jobTemplate', 'spec')],
  ['Build', BUILDS, null, readBuild],
  ['BuildConfig', BUILDS, 'bc', readBuild],
  ['DeploymentConfig', ['apps.openshift.io', ''], 'dc', readDeploymentConfig],
];

export const USING_KINDS: readonly UsingKind[] = ROWS.map(([kind, groups, short, read]) => {
  const singular = kind.toLowerCase();
  return { kind, groups, names: [`${singular}s`, singular, ...(short === null ? [] : [short])], read };
});

/** Older clusters also serve ImageStreams and Images in the core group. */
export const IMAGE_GROUPS = ['image.openshift.io', ''] as const;

/** `apps/v1` has group `apps`, `v1` the core group; a missing apiVersion matches any group. */
export function isOfGroups(apiVersion: string | null, groups: readonly string[]): boolean {
  if (apiVersion === null || apiVersion === '') return true;
  const slash = apiVersion.indexOf('/');
  return groups.includes(apiVersion.slice(0, Math.max(slash, 0)));
}

/** Accepts names of `oc get`: `rc`, `deployments.apps`, `Pod`; null if the kind uses no images. */
export function usingKindNamed(name: string): UsingKind | null {
  const [plural = ''] = name.toLowerCase().split('.');
  return USING_KINDS.find(({ names }) => names.includes(plural)) ?? null;
}

/** Ignores an ended Pod that was created before `youngerThan`. */
function readPod(object: InputValue, referrer: Referrer, youngerThan: number): number | null {
  const phase = object.at('status', 'phase').text();
  const created = readTime(object.at('metadata', 'creationTimestamp'));
  const isActive = phase === 'Running' || phase === 'Pending';
  if (!isActive && created !== null && created < youngerThan) return null;
  return readPodSpec(object.at('spec'), referrer) + readPodStatus(object.at('status'), referrer);
}

function readBuild(object: InputValue, referrer: Referrer): number {
  return readBuildSpec(object.at('spec'), referrer);
}

function readDeploymentConfig(object: InputValue, referrer: Referrer): number {
  return (
    readPodSpec(object.at('spec', 'template', 'spec'), referrer) +
    readTriggers(object.at('spec'), 'imageChangeParams', referrer)
  );
}
