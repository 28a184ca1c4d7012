import type { Json } from '../cluster/objects.ts';

/** Moment for `aStatusDocument`. */
export const AT = Date.parse('2026-11-16T12:00:00Z');
export const BEGIN = '2026-11-16T11:40:00Z';
const [FROM, TO] = ['4.14.0', '4.14.1'];
const ANNOTATION = 'machineconfiguration.openshift.io';

interface Changes {
  /** Everything is updated. */
  readonly isDone?: boolean;
  /** Only a paused pool is behind. */
  readonly isHeld?: boolean;
  readonly degradedSeconds?: number;
  /** Kind to leave out. */
  readonly without?: string;
  readonly more?: readonly Json[];
  /** Workers beside the two of the pool. */
  readonly workers?: number;
}

/** A List as `oc get` prints it, 20 minutes after the begin of an update with one worker that drains. */
export function aStatusDocument(changes: Changes = {}): string {
  const { isDone = false, isHeld = false, degradedSeconds, without, more = [], workers = 0 } = changes;
  const isControlPlaneDone = isDone || isHeld;
  const worker = isDone ? 2 : 1;
  const items = [
    clusterVersion(isControlPlaneDone),
    clusterOperator('etcd', TO, [
      condition('Progressing', 'False', 15),
      ...(degradedSeconds === undefined ? [] : [condition('Degraded', 'True', degradedSeconds / 60)]),
    ]),
    clusterOperator('machine-config', isControlPlaneDone ? TO : FROM, [
      isControlPlaneDone
        ? condition('Progressing', 'False', 5)
        : {
            ...condition('Progressing', 'True', 10),
            reason: 'RollingOutVersionSlowly',
            message: 'Working towards 4.14.1\nSecond line',
          },
    ]),
    node('master-0', 'master', { currentConfig: config('master', 2), desiredConfig: config('master', 2) }),
    node('worker-0', 'worker', {
      currentConfig: config('worker', worker),
      desiredConfig: config('worker', worker),
    }),
    isControlPlaneDone
      ? node('worker-1', 'worker', {
          currentConfig: config('worker', worker),
          desiredConfig: config('worker', worker),
        })
      : node(
          'worker-1',
          'worker',
          {
            currentConfig: config('worker', 1),
            desiredConfig: config('worker', 2),
            state: 'Working',
            desiredDrain: `drain-${config('worker', 2)}`,
            lastAppliedDrain: `uncordon-${config('worker', 1)}`,
          },
          { unschedulable: true },
        ),
    ...Array.from({ length: workers }, (_, number) =>
      node(`other-${String(number).padStart(4, '0')}`, 'worker', {
        currentConfig: config('worker', 2),
        desiredConfig: config('worker', 2),
      }),
    ),
    pool('master'),
    pool('worker', { paused: isHeld }),
    pool('spare'),
    ...['master', 'worker'].flatMap((name) => [machineConfig(name, 1, FROM), machineConfig(name, 2, TO)]),
    ...more,
  ];
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: items.filter(({ kind }) => kind !== without),
  });
}

export function condition(type: string, status: string, minutes: number) {
  return { type, status, lastTransitionTime: new Date(AT - minutes * 60_000).toISOString() };
}

function clusterVersion(isDone: boolean): Json {
  const former = { state: 'Completed', version: FROM, image: 'from' };
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterVersion',
    metadata: { name: 'version' },
    spec: { clusterID: 'c0ffee' },
    status: {
      desired: { version: TO, image: 'to' },
      history: [
        {
          state: isDone ? 'Completed' : 'Partial',
          version: TO,
          image: 'to',
          startedTime: BEGIN,
          completionTime: isDone ? '2026-11-16T11:55:00Z' : null,
        },
        { ...former, startedTime: '2026-10-01T08:00:00Z', completionTime: '2026-10-01T09:00:00Z' },
      ],
      conditions: [
        condition('Progressing', isDone ? 'False' : 'True', 20),
        condition('Failing', 'False', 20),
      ],
    },
  };
}

function clusterOperator(name: string, version: string, conditions: readonly object[]): Json {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterOperator',
    metadata: {
      name,
      annotations: { 'include.release.openshift.io/self-managed-high-availability': 'true' },
    },
    status: {
      versions: [{ name: 'operator', version }],
      conditions: [condition('Available', 'True', 999), ...conditions],
    },
  };
}

export function node(
  name: string,
  role: string,
  annotations: Readonly<Record<string, unknown>>,
  spec: Json = {},
): Json {
  const all = { state: 'Done', ...annotations };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { [`node-role.kubernetes.io/${role}`]: '' },
      annotations: Object.fromEntries(
        Object.entries(all).map(([key, value]) => [`${ANNOTATION}/${key}`, value]),
      ),
    },
    spec,
    status: { conditions: [condition('Ready', 'True', 999)] },
  };
}

function pool(name: string, spec: Json = {}): Json {
  return {
    apiVersion: `${ANNOTATION}/v1`,
    kind: 'MachineConfigPool',
    metadata: { name },
    spec: {
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } },
      configuration: { name: config(name, 2) },
      ...spec,
    },
  };
}

function config(pool: string, number: number): string {
  return `rendered-${pool}-${number}`;
}

function machineConfig(pool: string, number: number, version: string): Json {
  return {
    apiVersion: `${ANNOTATION}/v1`,
    kind: 'MachineConfig',
    metadata: {
      name: config(pool, number),
      annotations: { [`${ANNOTATION}/release-image-version`]: version },
    },
  };
}
