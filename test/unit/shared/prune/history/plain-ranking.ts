import type { HistoryClass, HistoryMode, PrunableEntry } from '@cairn/shared/prune/history/criteria';
import parse from 'semver/functions/parse.js';

export interface PlainRank {
  readonly index: number;
  readonly rank: number;
  readonly class: HistoryClass;
}

interface PlainMode {
  readonly initial: number;
  readonly isEdgeState: (state: string) => boolean;
  readonly minor: (version: string) => string;
  readonly release: (version: string) => string;
  readonly weights: readonly [current: number, initial: number, newest: number, final: number];
}

/**
 * All ranks of a history, the lowest first: the rules as they are written down, one entry at a time, without a thought
 * about speed, so that the real ones can be held against it.
 */
export function plainRanks(
  history: readonly PrunableEntry[],
  max: number,
  mode: HistoryMode = 'cvo',
): PlainRank[] {
  const rules = mode === 'cvo' ? operator(max) : fleet(history.length);
  const ranks = history.map((_, index): PlainRank => {
    const [name, weight] = classOf(history, index, rules);
    return { index, rank: weight + -1.01 * index, class: name };
  });
  return mode === 'cvo'
    ? ranks.toSorted((a, b) => a.rank - b.rank || a.index - b.index)
    : ranks.toSorted(
        (a, b) =>
          Number(a.class === 'protected') - Number(b.class === 'protected') ||
          a.rank - b.rank ||
          b.index - a.index,
      );
}

/** The entries that are left, by removing the lowest again and again. */
export function plainlyPruned<E extends PrunableEntry>(
  history: readonly E[],
  max: number,
  mode: HistoryMode,
): E[] {
  const left = [...history];
  for (let excess = history.length - max; excess > 0; excess--) {
    left.splice(plainRanks(left, max, mode)[0]!.index, 1);
    if (mode === 'cvo') break;
  }
  return left;
}

function classOf(history: readonly PrunableEntry[], index: number, rules: PlainMode): [HistoryClass, number] {
  const { state, version } = history[index]!;
  const completed = (entry: PrunableEntry): boolean => entry.state === 'Completed';
  if (index === 0) return ['protected', rules.weights[0]];
  if (index === rules.initial) return ['protected', rules.weights[1]];
  if (index === history.findIndex(completed)) return ['protected', rules.weights[2]];
  if (index <= 4) return ['protected', rules.weights[3]];
  const older = history.slice(index + 1).find(completed)?.version;
  const newer = history.slice(0, index).findLast(completed)?.version;
  const isOther = (neighbour: string | undefined): boolean =>
    neighbour === undefined || rules.minor(neighbour) !== rules.minor(version);
  if (rules.isEdgeState(state) && (isOther(older) || isOther(newer))) return ['minor-edge', 30];
  if (state === 'Completed' || older === undefined || newer === undefined) return ['other', 0];
  if (rules.minor(older) !== rules.minor(newer)) return ['minor-partial', 20];
  return rules.release(older) === rules.release(newer) ? ['other', 0] : ['z-partial', -20];
}

function operator(max: number): PlainMode {
  const piece = (version: string, number: number): string => version.split('.')[number] ?? '';
  return {
    initial: max,
    isEdgeState: (state) => state !== 'Partial',
    minor: (version) => piece(version, 1),
    release: (version) => `${piece(version, 1)}.${piece(version, 2)}`,
    weights: [1000, 1000, 1000, 1000],
  };
}

function fleet(length: number): PlainMode {
  return {
    initial: length - 1,
    isEdgeState: (state) => state === 'Completed',
    minor: (version) => {
      const parsed = parse(version);
      return parsed ? `minor ${parsed.major}.${parsed.minor}` : `text ${version}`;
    },
    release: (version) => parse(version)?.version ?? `text ${version}`,
    weights: [4000, 3000, 2000, 1000],
  };
}
