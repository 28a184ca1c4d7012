import type { HISTORY_CLASSES, HISTORY_MODES, HISTORY_WEIGHTS } from './values.ts';

/** A version as far as histories compare it: equal texts are equal minors, or equal patches of one minor. */
interface VersionParts {
  readonly minor: string;
  readonly patch: string;
}

/**
 * The second and the third piece between dots, each empty when it is not there, as the cluster version operator reads
 * versions: `4.12.0-rc.3` → `12` and `0-rc`, `v4.7` → `7` and nothing. The major does not count.
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

/** No version is longer; semver has the same limit. */
const MAX_LENGTH = 256;

/**
 * Minor and patch by the rules of semver, without a leading v and build metadata: `v4.12.0-rc.3+amd64` → `4.12` and
 * `0-rc.3`. A text that is no version, as `4.12` or the empty one, is a minor of its own.
 */
export function readSemanticVersion(version: string): VersionParts {
  const parts = version.length > MAX_LENGTH ? null : SEMANTIC.exec(version);
  // No minor begins with a question mark, so this can't be taken for one: the text `4.12` is not the minor of 4.12.0.
  return parts === null ? { minor: `?${version}`, patch: '' } : { minor: parts[1]!, patch: parts[2]! };
}

/** What pruning looks at in an entry of a history, which has the newest entry first. */
export interface PrunableEntry {
  readonly state: string;
  readonly version: string;
}

export type HistoryMode = (typeof HISTORY_MODES)[number];
export type HistoryClass = (typeof HISTORY_CLASSES)[number];

export type HistoryWeights = Readonly<Record<(typeof HISTORY_WEIGHTS)[number], number>>;

/** A history as criteria see it. Indexes count from the newest entry; one that was removed before is not there. */
export interface HistoryView<E extends PrunableEntry = PrunableEntry> {
  readonly length: number;
  /** Where the mode expects the installed release; `cvo` may expect it beyond the end. */
  readonly initial: number;
  /** Index of the newest completed entry, -1 when there is none. */
  readonly newestCompleted: number;
  entry(index: number): E;
  isCompleted(index: number): boolean;
  /** Whether the state is `Partial`. A state may be neither that nor `Completed`. */
  isPartial(index: number): boolean;
  /** Index of the next completed entry toward the oldest, -1 when there is none. */
  olderCompleted(index: number): number;
  /** The same toward the newest. */
  newerCompleted(index: number): number;
  sameMinor(one: number, other: number): boolean;
  /** The same minor and the same patch, as far as the mode tells patches apart. */
  sameRelease(one: number, other: number): boolean;
}

/** One row of the table that ranks entries. Of the rows that hold for an entry the first one counts, and no other. */
export interface HistoryCriterion<E extends PrunableEntry = PrunableEntry> {
  /** Names the term in explanations and the weight in `weights`. */
  readonly name: string;
  readonly class: HistoryClass;
  readonly weight: number;
  /** What such an entry is, so that it reads on after "removed": `the first or last completed update of a minor`. */
  readonly reason: string;
  holds(index: number, history: HistoryView<E>): boolean;
}

/** All in which one mode differs from another. */
export interface HistoryRules {
  readonly criteria: readonly HistoryCriterion[];
  /** Added for each place that an entry is away from the newest. */
  readonly position: number;
  /** What an entry is for which no criterion holds. */
  readonly otherReason: string;
  readVersion(version: string): VersionParts;
  initialIndex(length: number, max: number): number;
  /** Removes one entry per call, whatever the excess. */
  readonly oneOnly: boolean;
  /** A protected entry outranks every other, whatever the numbers say. */
  readonly protectedFirst: boolean;
  /** Which of two entries of the same rank goes. */
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

/** Whether it is one of the five newest. */
export function isFinal(index: number): boolean {
  return index < FINAL_ENTRIES;
}

/** As the operator has it: a state that is neither counts as completed here, and the ends of the list always hold. */
export function isMinorEdgeOfOperator(index: number, history: HistoryView): boolean {
  if (history.isPartial(index)) return false;
  return index === 0 || index === history.initial || hasOtherMinorBeside(index, history);
}

/** Whether it is the first or the last completed update of a minor. */
export function isMinorEdge(index: number, history: HistoryView): boolean {
  return history.isCompleted(index) && hasOtherMinorBeside(index, history);
}

function hasOtherMinorBeside(index: number, history: HistoryView): boolean {
  const older = history.olderCompleted(index);
  if (older === -1 || !history.sameMinor(index, older)) return true;
  const newer = history.newerCompleted(index);
  return newer === -1 || !history.sameMinor(index, newer);
}

/** Whether an update that was not completed lies between completed ones of different minors; its own does not matter. */
export function isMinorPartial(index: number, history: HistoryView): boolean {
  if (!isBetweenCompleted(index, history)) return false;
  return !history.sameMinor(history.olderCompleted(index), history.newerCompleted(index));
}

/** As the operator has it: different minors are different releases as well, which the row before this one takes. */
export function isZPartialOfOperator(index: number, history: HistoryView): boolean {
  if (!isBetweenCompleted(index, history)) return false;
  return !history.sameRelease(history.olderCompleted(index), history.newerCompleted(index));
}

/** Whether an update that was not completed lies between different completed releases of one minor. */
export function isZPartial(index: number, history: HistoryView): boolean {
  return isZPartialOfOperator(index, history) && !isMinorPartial(index, history);
}

function isBetweenCompleted(index: number, history: HistoryView): boolean {
  if (history.isCompleted(index) || index === 0 || index === history.initial) return false;
  return history.olderCompleted(index) !== -1 && history.newerCompleted(index) !== -1;
}

/** What the operator says of an entry that it protects and had to remove nevertheless, as of any other. */
const OPERATOR_OTHER = 'an older update of less importance';

/**
 * What the cluster version operator does, quirks included: minors are compared without the major, the installed release
 * is looked for at index `max` (right only for a list that is one too long), and protection is a number like any other.
 */
const CVO: HistoryRules = {
  criteria: [
    { name: 'current', class: 'protected', weight: 1000, reason: OPERATOR_OTHER, holds: isCurrent },
    { name: 'initial', class: 'protected', weight: 1000, reason: OPERATOR_OTHER, holds: isInitial },
    {
      name: 'newestCompleted',
      class: 'protected',
      weight: 1000,
      reason: OPERATOR_OTHER,
      holds: isNewestCompleted,
    },
    { name: 'final', class: 'protected', weight: 1000, reason: OPERATOR_OTHER, holds: isFinal },
    {
      name: 'minorEdge',
      class: 'minor-edge',
      weight: 30,
      reason: 'the first or last completed minor update',
      holds: isMinorEdgeOfOperator,
    },
    {
      name: 'minorPartial',
      class: 'minor-partial',
      weight: 20,
      reason: 'a partial update within a minor transition',
      holds: isMinorPartial,
    },
    {
      name: 'zPartial',
      class: 'z-partial',
      weight: -20,
      reason: 'a partial update within a z-stream transition',
      holds: isZPartialOfOperator,
    },
  ],
  position: -1.01,
  otherReason: OPERATOR_OTHER,
  readVersion: readDottedVersion,
  initialIndex: (_length, max) => max,
  oneOnly: true,
  protectedFirst: false,
  equalRanks: 'newer goes',
};

/**
 * The same idea without the quirks. Protection is a property of the class: the weight per place outgrows 1000 in a list
 * of a thousand entries. The weights of the protected only order them among themselves, for a `max` below their number.
 */
const FLEET: HistoryRules = {
  criteria: [
    {
      name: 'current',
      class: 'protected',
      weight: 4000,
      reason: 'the current release',
      holds: isCurrent,
    },
    {
      name: 'initial',
      class: 'protected',
      weight: 3000,
      reason: 'the installed release',
      holds: isInitial,
    },
    {
      name: 'newestCompleted',
      class: 'protected',
      weight: 2000,
      reason: 'the newest completed update',
      holds: isNewestCompleted,
    },
    {
      name: 'final',
      class: 'protected',
      weight: 1000,
      reason: 'one of the five newest',
      holds: isFinal,
    },
    {
      name: 'minorEdge',
      class: 'minor-edge',
      weight: 30,
      reason: 'the first or last completed update of a minor',
      holds: isMinorEdge,
    },
    {
      name: 'minorPartial',
      class: 'minor-partial',
      weight: 20,
      reason: 'an update between two minors that was not completed',
      holds: isMinorPartial,
    },
    {
      name: 'zPartial',
      class: 'z-partial',
      weight: -20,
      reason: 'an update within a minor that was not completed',
      holds: isZPartial,
    },
  ],
  position: -1.01,
  otherReason: 'an older entry that marks no change of minor',
  readVersion: readSemanticVersion,
  initialIndex: (length) => length - 1,
  oneOnly: false,
  protectedFirst: true,
  equalRanks: 'older goes',
};

export const HISTORY_RULES: Readonly<Record<HistoryMode, HistoryRules>> = { cvo: CVO, fleet: FLEET };
