import type { Condition } from '../../safety/condition.ts';
import type { EvaluatedHop } from '../../safety/evaluate.ts';
import type { StepKind, StepPlace } from '../values.ts';

/** Instruction of a run sheet. */
export interface PlanStep {
  /** Position and kind, unique in the plan: `4-update` */
  readonly id: string;
  readonly kind: StepKind;
  /** Index of the hop; null after the last hop. */
  readonly hop: number | null;
  readonly text: string;
  /** The first of `commands`. */
  readonly command?: string;
  /** All commands in order, if there are several. */
  readonly commands?: readonly string[];
  /** Findings that it resolves. */
  readonly resolves?: readonly ResolvedFinding[];
  /** True if the plan cannot continue without it. */
  readonly blocking: boolean;
  /** A wait that takes longer has failed. */
  readonly timeoutMinutes?: number;
  /** Only for hosted control planes: the cluster that the commands are for. */
  readonly where?: StepPlace;
}

export type ResolvedFinding = Pick<Condition, 'type' | 'reason'>;

export type StepHop = Pick<EvaluatedHop, 'hop' | 'conditions'>;

/** Phases before the first hop, in order. */
const PREPARATION = ['wait', 'collect', 'repair', 'prepare'] as const;

/** Phases of a hop, in order. */
const HOP_PHASES = [
  'rollout',
  'migrate',
  'operators',
  'acknowledge',
  'resolve',
  'mirror',
  'backup',
  'pause',
  'channel',
  'accept',
  'update',
  'verify',
] as const;

export type Phase = (typeof PREPARATION)[number] | (typeof HOP_PHASES)[number];

/** Step before it has a position. */
export interface StepDraft extends Pick<
  PlanStep,
  'kind' | 'hop' | 'text' | 'blocking' | 'timeoutMinutes' | 'where'
> {
  readonly phase: Phase;
  readonly commands?: readonly string[];
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

function positionOf({ phase, hop }: StepDraft): number {
  const isPreparation = (PREPARATION as readonly Phase[]).includes(phase);
  const block = isPreparation ? 0 : (hop ?? AFTER_ALL_HOPS);
  return block * PHASES.length + PHASES.indexOf(phase);
}

/** The first step resolves the findings of both. */
export function joined(first: StepDraft, second: StepDraft): StepDraft {
  return {
    ...first,
    blocking: first.blocking || second.blocking,
    resolves: [...(first.resolves ?? []), ...(second.resolves ?? [])],
  };
}

function numbered(
  { phase: _phase, commands = [], resolves = [], ...step }: StepDraft,
  number: number,
): PlanStep {
  const [command] = commands;
  const findings = new Map(resolves.map(({ type, reason }) => [`${type} ${reason}`, { type, reason }]));
  return {
    id: `${number}-${step.kind}`,
    ...step,
    ...(command !== undefined && { command }),
    ...(commands.length > 1 && { commands }),
    ...(findings.size > 0 && { resolves: [...findings.values()] }),
  };
}

/** Effects that a person has to act on. */
export function isActedOn({ effect }: Condition): boolean {
  return effect === 'block' || effect === 'inform' || effect === 'warn';
}

export function isBlocking({ effect, accepted }: Condition): boolean {
  return (effect === 'block' || effect === 'inform') && accepted !== true;
}
