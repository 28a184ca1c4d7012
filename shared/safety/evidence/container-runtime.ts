import type { ClusterFacts, PoolFacts } from '../../cluster/facts.ts';
import { matchesSelector } from '../../cluster/labels.ts';
import { namesInWords } from '../../text/words.ts';
import type { ConditionObject } from '../condition.ts';
import { type Decision, NO, unknown, yes } from '../decision.ts';
import { isControlPlanePool } from './pools.ts';

type Facts = Pick<ClusterFacts, 'pools' | 'runtimeConfigs' | 'machineConfigs'>;

const RUNC = 'runc';
const WORKERS = 'worker';
/** Streams without runc: a pool with it does not render. */
const WITHOUT_RUNC = /^rhel-?10\b/;

/** Blocks only if a pool with runc is set to RHEL 10 already. */
export function usesRunc(facts: Facts): Decision {
  const { pools, runtimeConfigs, machineConfigs } = facts;
  const configured = [
    ...(runtimeConfigs ?? [])
      .filter(({ runtime }) => runtime === RUNC)
      .map(({ name }): ConditionObject => ({ kind: 'ContainerRuntimeConfig', name })),
    ...(machineConfigs ?? [])
      .filter(({ runtime }) => runtime === RUNC)
      .map(({ name }): ConditionObject => ({ kind: 'MachineConfig', name })),
  ];
  const meant = (pools ?? []).filter((pool) => runtimeOf(pool, facts) === RUNC);
  if (meant.length > 0 || (pools === null && configured.length > 0)) {
    const names = namesInWords(meant.map(({ name }) => name));
    const where = meant.length === 0 ? 'A pool uses' : `Pool ${names} ${meant.length === 1 ? 'uses' : 'use'}`;
    const isStuck = meant.some(isWithoutRunc);
    return {
      ...yes(
        `${where} runc, which RHEL 10 does not have${isStuck ? ': the pool cannot render its configuration' : ''}`,
        [
          ...meant.map(({ name }) => ({ kind: 'MachineConfigPool', name })).toSorted(byName),
          ...configured.toSorted(byName),
        ],
      ),
      effect: isStuck ? 'block' : 'warn',
    } as Decision;
  }
  if (runtimeConfigs === null) return unknown('runtimeConfigs');
  // Without a pool on RHEL 10 a drop-in of a MachineConfig would only be a warning.
  return machineConfigs === null && (pools ?? []).some(isWithoutRunc) ? unknown('machineConfigs') : NO;
}

function isWithoutRunc({ osImageStream = '' }: PoolFacts): boolean {
  return WITHOUT_RUNC.test(osImageStream);
}

/** A custom pool has the configuration of workers too; its own counts more. MachineConfigs are merged by name. */
function runtimeOf(pool: PoolFacts, { pools, runtimeConfigs, machineConfigs }: Facts): string | undefined {
  const roles = isControlPlanePool(pool) ? [pool.name] : [pool.name, WORKERS];
  const configured = roles
    .flatMap((role) => (pools ?? []).find(({ name }) => name === role) ?? [])
    .map(({ labels }) =>
      (runtimeConfigs ?? []).filter(
        ({ runtime, poolSelector }) => runtime !== '' && matchesSelector(poolSelector, labels),
      ),
    )
    .find((configs) => configs.length > 0);
  if (configured?.some(({ runtime }) => runtime === RUNC)) return RUNC;
  return (machineConfigs ?? [])
    .filter(({ role }) => roles.includes(role))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .at(-1)?.runtime;
}

function byName(a: ConditionObject, b: ConditionObject): number {
  return `${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1;
}
