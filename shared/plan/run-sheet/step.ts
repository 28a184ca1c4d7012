import type { ClusterFacts } from '../../cluster/facts.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import type { EvaluatedHop } from '../../safety/evaluate.ts';
import type { MissingInput } from '../../safety/missing-input.ts';
import { truncate } from '../../text/quote.ts';
import type { StepKind, StepPlace, UpdateServiceChoice } from '../values.ts';

/** Instruction of a run sheet. */
export interface PlanStep {
  /** Position and kind, unique in the plan: `4-update` */
  readonly id: string;
  readonly kind: StepKind;
  /** Index of the hop; null after the last hop. */
  readonly hop: number | null;
  readonly text: string;
  /** The first of `commands` that is no comment. */
  readonly command?: string;
  /** All commands in order, if there are several. */
  readonly commands?: readonly string[];
  /** Objects that it is about. */
  readonly objects?: readonly StepObject[];
  /** Findings that it resolves. */
  readonly resolves?: readonly ResolvedFinding[];
  /** True if the plan cannot continue without it. */
  readonly blocking: boolean;
  /** A wait that takes longer has failed. */
  readonly timeoutMinutes?: number;
  /** Only for hosted control planes: the cluster that the commands are for. */
  readonly where?: StepPlace;
}

/** Begins a line that is no command, but explains the next one. */
export const COMMENT = '# ';

/** Steps of a plan are for its management cluster, except those that need another kubeconfig. */
export function placeNote(where: StepPlace | undefined): string {
  return where === 'hosted' ? ' (with the kubeconfig of the hosted cluster)' : '';
}

export type StepObject = Pick<ConditionObject, 'kind' | 'namespace' | 'name'>;

export type ResolvedFinding = Pick<Condition, 'type' | 'reason'>;

export type StepHop = Pick<EvaluatedHop, 'hop' | 'conditions' | 'risks'>;

export interface UpdateQuestion {
  readonly facts: ClusterFacts;
  readonly hops: readonly StepHop[];
  readonly channelPlan: readonly { readonly channel: string; readonly untilVersion: string }[];
  /** Pull spec of each release on the path, by version. */
  readonly payloads: ReadonlyMap<string, string>;
  /** Expected minutes of each hop; null if the size of the cluster is unknown. */
  readonly hopMinutes: readonly (number | null)[];
  /** `auto` if absent. */
  readonly updateService?: UpdateServiceChoice;
  /** Missing documents, also those that no finding asks for. */
  readonly missing?: readonly MissingInput[];
}

/** Phases before the first hop, in order. `unblock` has repairs without which a running update never completes. */
const PREPARATION = ['protect', 'unblock', 'wait', 'collect', 'repair', 'prepare'] as const;

/** What is repaired before the first hop, most urgent first. */
const REPAIRS = [
  'control-plane',
  'etcd',
  'core-operators',
  'pools',
  'nodes',
  'certificates',
  'alerts',
  'operators',
  // Nodes that reboot are not replaced, and a pool that rolls out waits for its nodes and drains.
  'suspension',
  'drains',
  'rollouts',
] as const;
export type Repair = (typeof REPAIRS)[number];

/** Phases of a hop, in order. */
const HOP_PHASES = [
  'rollout',
  'migrate',
  'operators',
  'resolve',
  'acknowledge',
  'mirror',
  'drain',
  'backup',
  'suspend',
  'pause',
  'channel',
  'accept',
  'update',
  'resume',
  'restore',
  'verify',
  'clear',
] as const;

export type Phase = (typeof PREPARATION)[number] | (typeof HOP_PHASES)[number];

/** Step before it has a position. */
export interface StepDraft extends Pick<
  PlanStep,
  'kind' | 'hop' | 'text' | 'blocking' | 'timeoutMinutes' | 'where'
> {
  readonly phase: Phase;
  /** Orders repairs; without it, a step comes after all of them. */
  readonly repair?: Repair;
  readonly commands?: readonly string[];
  readonly objects?: readonly StepObject[];
  readonly resolves?: readonly ResolvedFinding[];
}

/** Orders by phase and numbers the steps. Equal instructions for several findings become one, at the first place. */
export function numberSteps(drafts: readonly StepDraft[]): PlanStep[] {
  const merged = new Map<string, StepDraft>();
  for (const [index, draft] of drafts.toSorted((a, b) => positionOf(a) - positionOf(b)).entries()) {
    const { kind, text, commands = [], resolves = [] } = draft;
    const key = JSON.stringify(resolves.length > 0 ? [kind, text, commands] : index);
    const known = merged.get(key);
    merged.set(key, known ? joined(known, draft) : draft);
  }
  return [...merged.values()].map((draft, index) => numbered(draft, index + 1));
}

const PHASES: readonly Phase[] = [...PREPARATION, ...HOP_PHASES];

/** More hops than any path has. */
const AFTER_ALL_HOPS = 1_000_000;

function positionOf({ phase, hop, repair }: StepDraft): number {
  const isPreparation = (PREPARATION as readonly Phase[]).includes(phase);
  const block = isPreparation ? 0 : (hop ?? AFTER_ALL_HOPS);
  const urgency = repair === undefined ? REPAIRS.length : REPAIRS.indexOf(repair);
  return block * PHASES.length + PHASES.indexOf(phase) + urgency / (REPAIRS.length + 1);
}

/** The first step resolves the findings of both, and is about the objects of both. */
export function joined(first: StepDraft, second: StepDraft): StepDraft {
  return {
    ...first,
    // The earliest hop that needs it: a preparation for a later hop can resolve a warning of an earlier one.
    hop: earlier(first.hop, second.hop),
    blocking: first.blocking || second.blocking,
    objects: [...(first.objects ?? []), ...(second.objects ?? [])],
    resolves: [...(first.resolves ?? []), ...(second.resolves ?? [])],
  };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function numbered(
  { phase: _phase, repair: _repair, commands = [], objects = [], resolves = [], ...step }: StepDraft,
  number: number,
): PlanStep {
  const command = commands.find((line) => !line.startsWith(COMMENT));
  const findings = new Map(resolves.map(({ type, reason }) => [`${type} ${reason}`, { type, reason }]));
  const named = new Map(objects.map((object) => [objectKey(object), bareObject(object)]));
  return {
    id: `${number}-${step.kind}`,
    ...step,
    ...(command !== undefined && { command }),
    ...(commands.length > 1 && { commands }),
    ...(named.size > 0 && { objects: [...named.values()] }),
    ...(findings.size > 0 && { resolves: [...findings.values()] }),
  };
}

function bareObject({ kind, namespace, name }: StepObject): StepObject {
  return { kind, ...(namespace !== undefined && { namespace }), name };
}

function objectKey({ kind, namespace, name }: StepObject): string {
  return JSON.stringify([kind, namespace, name]);
}

/** Effects that a person has to act on. */
export function isActedOn({ effect }: Condition): boolean {
  return effect === 'block' || effect === 'inform' || effect === 'warn';
}

export function isBlocking({ effect, accepted }: Condition): boolean {
  return (effect === 'block' || effect === 'inform') && accepted !== true;
}

const REBOOTING: ReadonlySet<string> = new Set(['ClusterOnCgroupV1', 'RuncConfigured']);

/** The nodes of all pools reboot when it is resolved. */
export function rebootsPools(condition: Condition): boolean {
  return REBOOTING.has(condition.reason) && condition.status === 'False' && isActedOn(condition);
}

/** Another update has to complete before a minor. */
export function isInProgress(condition: Condition): boolean {
  return isUpdateFinding(condition) && condition.status === 'False';
}

export function isUpdateFinding({ type }: ResolvedFinding): boolean {
  return type === 'NoUpdateInProgress';
}

/** The cluster reports Failing=True. */
export function isFailing({ reason, status }: Condition): boolean {
  return reason === 'UpdateFailing' && status === 'False';
}

export function isCommand(text: string): boolean {
  return text.startsWith('oc ');
}

const LONGEST_TEXT = 240;

export function shortText(text: string): string {
  return truncate(text, LONGEST_TEXT);
}

export interface Concern {
  readonly object: ConditionObject;
  readonly evaluated: StepHop;
  readonly blocking: boolean;
  readonly resolves: readonly ResolvedFinding[];
}

/** Pairs each object with the first hop that it blocks, or else the first hop that names it. */
export function concerns(
  hops: readonly StepHop[],
  isMeant: (condition: Condition, object: ConditionObject) => boolean,
): Concern[] {
  const found = new Map<string, Concern>();
  for (const evaluated of hops) {
    for (const condition of evaluated.conditions) {
      const blocking = isBlocking(condition);
      for (const object of (condition.objects ?? []).filter((each) => isMeant(condition, each))) {
        const key = objectKey(object);
        const known = found.get(key);
        const resolves = [...(known?.resolves ?? []), condition];
        const isFirst = !known || (blocking && !known.blocking);
        found.set(key, isFirst ? { object, evaluated, blocking, resolves } : { ...known, resolves });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => a.evaluated.hop.index - b.evaluated.hop.index);
}
