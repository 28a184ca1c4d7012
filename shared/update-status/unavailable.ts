import type { ClusterCondition, NodeFacts } from '../cluster/facts.ts';
import { isBroken } from '../cluster/nodes.ts';
import { ageOf, momentOf, sinceOf } from './times.ts';

/** Why a node cannot run workloads now. */
export interface Cause {
  readonly text: string;
  readonly message: string;
  readonly since: string | null;
  /** Longer than an update explains. */
  readonly isSerious: boolean;
}

/** Conditions that make a node unavailable, with the seconds that an update explains. */
const CAUSES: Readonly<Record<string, { readonly text: string; readonly toleratedSeconds: number }>> = {
  Ready: { text: 'Not ready', toleratedSeconds: 300 },
  DiskPressure: { text: 'Disk pressure', toleratedSeconds: 60 },
  NetworkUnavailable: { text: 'Network unavailable', toleratedSeconds: 60 },
};

/** Conditions in the order of the document, then the cordon; the daemon only if it is the only cause. */
export function causesOf(node: NodeFacts, at: number): Cause[] {
  const conditions = problemsOf(node).map((condition): Cause => {
    const { text, toleratedSeconds } = CAUSES[condition.type]!;
    return {
      text,
      message: condition.message,
      since: sinceOf(condition, at),
      isSerious: ageOf(condition, at) >= toleratedSeconds,
    };
  });
  if (node.unschedulable) conditions.push(harmless('Node is marked unschedulable'));
  if (conditions.length > 0 || isDone(node) || isBroken(node)) return conditions;
  return [harmless('Machine Config Daemon is processing the node')];
}

export function problemsOf({ problems }: NodeFacts): ClusterCondition[] {
  return problems.filter(({ type }) => Object.hasOwn(CAUSES, type));
}

/** The earliest time of the causes; null if none has one. */
export function unavailableSince(causes: readonly Cause[]): string | null {
  return causes.reduce<string | null>((first, { since }) => {
    if (since === null || first === null) return first ?? since;
    return momentOf(since)! < momentOf(first)! ? since : first;
  }, null);
}

function harmless(text: string): Cause {
  return { text, message: '', since: null, isSerious: false };
}

/** The daemon has nothing to do on the node. */
function isDone({ machineConfig }: NodeFacts): boolean {
  const { current, desired, state, currentImage, desiredImage } = machineConfig;
  const hasImage = currentImage !== undefined || desiredImage !== undefined;
  return (
    current !== '' &&
    current === desired &&
    state === 'Done' &&
    (!hasImage || (currentImage !== '' && currentImage === desiredImage))
  );
}
