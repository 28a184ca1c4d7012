import type { HISTORY_CLASSES, HISTORY_MODES, HISTORY_WEIGHTS } from './values.ts';

/** Version parts for comparison; equal texts mean equal minors, or equal patches of one minor. */
interface VersionParts {
  readonly minor: string;
  readonly patch: string;
}

/**
 * Splits at dots as the Cluster Version Operator does and ignores the major: `4.12.0-rc.3` → `12` and `0-rc`, `v4.7` →
 * `7` and an empty patch.
 */
export function readDottedVersion(version: string): VersionParts {
  const first = version.indexOf('.');
  if (first === -1) return NO_PARTS;
  const second = version.indexOf('.', first + 1);
  if (second === -1) return { minor: version.slice(first + 1), patch: '' };
  const third = version.indexOf('.', second + 1);
  return {
    minor: version.slice(first + 1, second),
    patch: version.slice(second + 1, third === -1 ? undefined : third),
  };
}

const NO_PARTS: VersionParts = { minor: '', patch: '' };

const SEMANTIC =
  /^v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*))\.((?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?)(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;

/** Semver has the same limit. */
const MAX_LENGTH = 256;

/**
 * Parses semver without a leading v and build metadata: `v4.12.0-rc.3+amd64` → `4.12` and `0-rc.3`. An invalid version,
 * such as `4.12` or an empty text, is its own minor.
 */
export function readSemanticVersion(version: string): VersionParts {
  const parts = version.length > MAX_LENGTH ? null : SEMANTIC.exec(version);
  // No minor starts with a question mark: the text `4.12` must not match the minor of 4.12.0.
  return parts === null ? { minor: `?${version}`, patch: '' } : { minor: parts[1]!, patch: parts[2]! };
}

/** Fields of a history entry that pruning reads. Histories have the newest entry first. */
export interface PrunableEntry {
  readonly state: string;
  readonly version: string;
}

export type HistoryMode = (typeof HISTORY_MODES)[number];
export type HistoryClass = (typeof HISTORY_CLASSES)[number];

export type HistoryWeights = Readonly<Record<(typeof HISTORY_WEIGHTS)[number], number>>;

/** History without the entries already removed. Index 0 is the newest entry. */
export interface HistoryView<E extends PrunableEntry = PrunableEntry> {
  readonly length: number;
  /** Position where the mode expects the installed release; `cvo` can expect it beyond the end. */
  readonly initial: number;
  /** -1 if there is none. */
  readonly newestCompleted: number;
  entry(index: number): E;
  isCompleted(index: number): boolean;
  /** A state can be neither `Partial` nor `Completed`. */
  isPartial(index: number): boolean;
  /** Next completed entry toward the oldest, or -1. */
  olderCompleted(index: number): number;
  /** Next completed entry toward the newest, or -1. */
  newerCompleted(index: number): number;
  sameMinor(one: number, other: number): boolean;
  /** Same minor and patch, as precisely as the mode distinguishes patches. */
  sameRelease(one: number, other: number): boolean;
}

/** Row of the ranking table. Only the first criterion that holds for an entry counts. */
export interface HistoryCriterion<E extends PrunableEntry = PrunableEntry> {
  /** Name of the term in explanations and of the weight in `weights`. */
  readonly name: string;
  readonly class: HistoryClass;
  readonly weight: number;
  /** Noun phrase that completes "removed": `the first or last completed update of a minor`. */
  readonly reason: string;
  holds(index: number, history: HistoryView<E>): boolean;
}

export interface HistoryRules {
  readonly criteria: readonly HistoryCriterion[];
  /** Weight per position from the newest entry. */
  readonly position: number;
  readonly otherReason: string;
  readVersion(version: string): VersionParts;
  initialIndex(length: number, max: number): number;
  /** Removes one entry per call, whatever the excess. */
  readonly oneOnly: boolean;
  /** Protected entries outrank all others, whatever their weights. */
  readonly protectedFirst: boolean;
  /** Entry to remove if two have the same rank. */
  readonly equalRanks: 'newer goes' | 'older goes';
}

const FINAL_ENTRIES = 5;

export function isCurrent(index: number): boolean {
  return index === 0;
}

export function isInitial(index: number, { initial }: Pick<HistoryView, 'initial'>): boolean {
  return index === initial;
}

export function isNewestCompleted(index: number, history: Pick<HistoryView, 'newestCompleted'>): boolean {
  return index === history.newestCompleted;
}

export function isFinal(index: number): boolean {
  return index < FINAL_ENTRIES;
}

/** As in the operator: an unknown state counts as completed, and both ends of the list always hold. */
export function isMinorEdgeOfOperator(index: number, history: HistoryView): boolean {
  if (history.isPartial(index)) return false;
  return index === 0 || index === history.initial || hasOtherMinorBeside(index, history);
}

/** First or last completed update of a minor. */
export function isMinorEdge(index: number, history: HistoryView): boolean {
  return history.isCompleted(index) && hasOtherMinorBeside(index, history);
}

function hasOtherMinorBeside(index: number, history: HistoryView): boolean {
  const older = history.olderCompleted(index);
  if (older === -1 || !history.sameMinor(index, older)) return true;
  const newer = history.newerCompleted(index);
  return newer === -1 || !history.sameMinor(index, newer);
}

/** Incomplete update between completed ones of different minors; its own minor does not matter. */
export function isMinorPartial(index: number, history: HistoryView): boolean {
  if (!isBetweenCompleted(index, history)) return false;
  return !history.sameMinor(history.olderCompleted(index), history.newerCompleted(index));
}

/** As in the operator: also holds for different minors, which the previous criterion already takes. */
export function isZPartialOfOperator(index: number, history: HistoryView): boolean {
  if (!isBetweenCompleted(index, history)) return false;
  return !history.sameRelease(history.olderCompleted(index), history.newerCompleted(index));
}

/** Incomplete update between different completed releases of one minor. */
export function isZPartial(index: number, history: HistoryView): boolean {
  return isZPartialOfOperator(index, history) && !isMinorPartial(index, history);
}

function isBetweenCompleted(index: number, history: HistoryView): boolean {
  if (history.isCompleted(index) || index === 0 || index === history.initial) return false;
  return history.olderCompleted(index) !== -1 && history.newerCompleted(index) !== -1;
}

/** The operator logs this reason even for a protected entry. */
const OPERATOR_OTHER = 'an older update of less importance';

type CriterionName = Exclude<keyof HistoryWeights, 'position'>;

const CLASSES: Readonly<Record<CriterionName, HistoryClass>> = {
  current: 'protected',
  initial: 'protected',
  newestCompleted: 'protected',
  final: 'protected',
  minorEdge: 'minor-edge',
  minorPartial: 'minor-partial',
  zPartial: 'z-partial',
};

type Row = readonly [weight: number, reason: string, holds: HistoryCriterion['holds']];

function criteriaOf(rows: Readonly<Record<CriterionName, Row>>): HistoryCriterion[] {
  return (Object.keys(CLASSES) as CriterionName[]).map((name) => {
    const [weight, reason, holds] = rows[name];
    return { name, class: CLASSES[name], weight, reason, holds };
  });
}

/**
 * Rules of the Cluster Version Operator with its quirks. It compares minors without the major and expects the installed
 * release at index `max`, which is right only for a list with one entry too many. Protection is only a weight.
 */
const CVO: HistoryRules = {
  criteria: criteriaOf({
    current: [1000, OPERATOR_OTHER, isCurrent],
    initial: [1000, OPERATOR_OTHER, isInitial],
    newestCompleted: [1000, OPERATOR_OTHER, isNewestCompleted],
    final: [1000, OPERATOR_OTHER, isFinal],
    minorEdge: [30, 'the first or last completed minor update', isMinorEdgeOfOperator],
    minorPartial: [20, 'a partial update within a minor transition', isMinorPartial],
    zPartial: [-20, 'a partial update within a z-stream transition', isZPartialOfOperator],
  }),
  position: -1.01,
  otherReason: OPERATOR_OTHER,
  readVersion: readDottedVersion,
  initialIndex: (_length, max) => max,
  oneOnly: true,
  protectedFirst: false,
  equalRanks: 'newer goes',
};

/**
 * Rules without the quirks. Protection is a class, because position weights exceed 1000 in a list of a thousand
 * entries. Weights of protected entries only order them, for a `max` below their number.
 */
const FLEET: HistoryRules = {
  criteria: criteriaOf({
    current: [4000, 'the current release', isCurrent],
    initial: [3000, 'the installed release', isInitial],
    newestCompleted: [2000, 'the newest completed update', isNewestCompleted],
    final: [1000, 'one of the five newest', isFinal],
    minorEdge: [30, 'the first or last completed update of a minor', isMinorEdge],
    minorPartial: [20, 'an update between two minors that was not completed', isMinorPartial],
    zPartial: [-20, 'an update within a minor that was not completed', isZPartial],
  }),
  position: -1.01,
  otherReason: 'an older entry that marks no change of minor',
  readVersion: readSemanticVersion,
  initialIndex: (length) => length - 1,
  oneOnly: false,
  protectedFirst: true,
  equalRanks: 'older goes',
};

export const HISTORY_RULES: Readonly<Record<HistoryMode, HistoryRules>> = { cvo: CVO, fleet: FLEET };
