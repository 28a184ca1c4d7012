import type { PruneReport } from '@cairn/shared/prune';
import { durationInMilliseconds } from '@cairn/shared/text/duration';

export const NOW = new Date('2026-11-16T12:00:00Z');

export function ago(age: string): Date {
  return new Date(NOW.getTime() - durationInMilliseconds(age)!);
}

function timeText(age: string): string {
  return ago(age).toISOString().replace('.000Z', 'Z');
}

export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string | null;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

type Metadata = Partial<KubernetesObject['metadata']>;

function anObject(apiVersion: string, kind: string, name: string, age: string, metadata: Metadata = {}) {
  const identity = { name, namespace: 'batch', uid: `uid-of-${kind}-${name}` };
  return { apiVersion, kind, metadata: { ...identity, creationTimestamp: timeText(age), ...metadata } };
}

export function aPod(
  name: string,
  age: string,
  phase = 'Succeeded',
  metadata: Metadata = {},
): KubernetesObject {
  return { ...anObject('v1', 'Pod', name, age, metadata), status: { phase } };
}

export const JOB_STATUS = {
  complete: { completionTime: '2026-11-01T00:00:00Z', conditions: [{ type: 'Complete', status: 'True' }] },
  failed: { conditions: [{ type: 'Failed', status: 'True' }] },
  running: { active: 1 },
} as const;

export function aJob(
  name: string,
  age: string,
  state: keyof typeof JOB_STATUS = 'complete',
  metadata: Metadata = {},
): KubernetesObject {
  return { ...anObject('batch/v1', 'Job', name, age, metadata), status: JOB_STATUS[state] };
}

export function aBackup(name: string, age: string, phase: string, metadata: Metadata = {}): KubernetesObject {
  return { ...anObject('example.com/v1', 'Backup', name, age, metadata), status: { phase } };
}

export const ownedBy = (name: string, kind = 'Operator', controller = true) => ({
  ownerReferences: [{ apiVersion: 'example.com/v1', kind, name, uid: `uid-of-${kind}-${name}`, controller }],
});

export function nameOf(object: unknown): string {
  const { metadata, name } = object as Partial<KubernetesObject> & { name?: string };
  return metadata?.name ?? name ?? '';
}

export function names(objects: Iterable<unknown>): string[] {
  return Array.from(objects, nameOf);
}

/** The non-empty lists of a report, as names. */
export function brief(report: PruneReport<unknown>): Record<string, unknown> {
  const lists = ['skipped', 'kept', 'selected', 'deleted', 'absent', 'notTried', 'failed'] as const;
  const told: Record<string, unknown> = { outcome: report.outcome };
  for (const list of lists) {
    if (report[list].length > 0) told[list] = report[list].map(({ object }) => nameOf(object));
  }
  return told;
}

export function reasons(judged: readonly { readonly object: unknown; readonly reason: string }[]) {
  return Object.fromEntries(judged.map(({ object, reason }) => [nameOf(object), reason]));
}
