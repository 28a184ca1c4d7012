import { HISTORY_STATES } from '@cairn/shared/cluster/facts';
import { InputValue, isObject, KUBERNETES } from '@cairn/shared/input/input-value';
import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import { HISTORY_RULES } from '@cairn/shared/prune/history/criteria';
import {
  type HistoryClass,
  type HistoryPruneOptions,
  pruneHistory,
  shownRank,
  shownRanking,
  type PrunableEntry,
} from '@cairn/shared/prune/history/prune-history';
import { asText } from '@cairn/shared/text/as-text';
import { type Block, lines } from '@cairn/shared/text/blocks';
import { singleLine, truncate } from '@cairn/shared/text/quote';
import { joinInWords } from '@cairn/shared/text/words';
import { invalidRequest, MOST_FAULTS, unknownName } from '../http/request.ts';
import { type ErrorDetail, errorDetail } from '../runtime/errors.ts';
import { type HistoryEvaluationRequest, HISTORY_LIMITS } from './schema.ts';

/** Lists every entry with its rank, and the removal order. */
export function historyAsText({ mode, max, removed, ranks }: HistoryVerdict): string {
  const order = new Map(removed.map(({ index }, position) => [index, position + 1]));
  const rows = ranks.map((ranked) => [
    ...rankedCells(ranked),
    order.has(ranked.index) ? `removed ${order.get(ranked.index)}` : '',
    whatItIs(ranked),
  ]);
  const header = ['INDEX', 'STATE', 'VERSION', 'RANK', 'CLASS', 'REMOVED', 'REASON'];
  const sum = `${goneInWords(removed.length, ranks.length)} (mode ${mode}, max ${max})`;
  return asText([
    ...(rows.length === 0 ? [] : [{ kind: 'table' as const, header, rows, numbers: [0, 3] }]),
    lines(sum),
  ]);
}

/** Prints one block per history, then the sum. */
export function historiesAsText({ mode, max, evaluations, summary }: HistoriesVerdict): string {
  const classes = Object.entries(summary.byClass).filter(([, count]) => count > 0);
  const which = joinInWords(classes.map(([name, count]) => `${count} ${name}`));
  const of = `${entriesInWords(summary.entries)} in ${summary.histories === 1 ? '1 history' : `${summary.histories} histories`}`;
  const sum = `${summary.removed} of ${of} removed${which && `: ${which}`} (mode ${mode}, max ${max})`;
  return asText([...evaluations.map(lossBlock), lines(sum)]);
}

function lossBlock(
  { name, entries, removed, removedTotal }: HistoriesVerdict['evaluations'][number],
  index: number,
): Block {
  const title = `${name === null ? `history ${index}` : singleLine(name)}: ${goneInWords(removedTotal, entries)}`;
  if (removed.length === 0) return lines(title);
  const header = ['INDEX', 'STATE', 'VERSION', 'RANK', 'CLASS', 'REASON'];
  const rows = removed.map((removal) => [...rankedCells(removal), removal.reason]);
  const more = removedTotal - removed.length;
  return {
    kind: 'lines',
    lines: [title],
    table: { header, rows, numbers: [0, 3] },
    items: more > 0 ? [`and ${more} more, which are not listed`] : [],
  };
}

function rankedCells(entry: Pick<ListedRemoval, 'index' | 'state' | 'version' | 'rank' | 'class'>): string[] {
  const { index, state, version, rank, class: ofClass } = entry;
  return [String(index), state || '-', version || '-', rank.toFixed(2), ofClass];
}

/**
 * The Cluster Version Operator has one text for protected and for least important entries; the fleet rules have two.
 */
function whatItIs({ class: ofClass, reason, terms }: HistoryVerdict['ranks'][number]): string {
  if (ofClass !== 'protected') return reason;
  const counted = terms.find((term) => term.counted)?.name;
  return HISTORY_RULES.fleet.criteria.find(({ name }) => name === counted)?.reason ?? reason;
}

function goneInWords(removed: number, entries: number): string {
  const all = entriesInWords(entries);
  return removed === 0 ? `nothing of ${all} removed` : `${removed} of ${all} removed`;
}

function entriesInWords(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

/** Removals listed for many histories: the response has to fit into the Lambda limit. */
const MOST_LISTED = 10_000;

type RuleOptions = Required<Pick<HistoryPruneOptions, 'max' | 'mode' | 'weights'>>;
type HistoryVerdict = ReturnType<typeof evaluateOne>;
type HistoriesVerdict = ReturnType<typeof evaluateMany>;
type ListedRemoval = HistoriesVerdict['evaluations'][number]['removed'][number];

/** Returns full details for one history, a summary for several. */
export function evaluateHistories(request: HistoryEvaluationRequest) {
  const { max = HISTORY_LIMIT.default, mode = 'cvo', weights = {} } = request;
  const histories = sentHistories(request);
  const options = { max, mode, weights: weights as RuleOptions['weights'] };
  return request.histories === undefined
    ? evaluateOne(histories[0]!, options)
    : evaluateMany(histories, options);
}

function evaluateOne({ entries }: SentHistory, options: RuleOptions) {
  const { kept, removed, ranks = [] } = pruneHistory(entries, { ...options, explain: true });
  return {
    mode: options.mode,
    max: options.max,
    kept: kept.map(({ sent }) => sent),
    removed: removed.map(({ entry, ...removal }) => ({
      ...removal,
      rank: shownRank(removal.rank),
      entry: entry.sent,
    })),
    ranks: ranks.map((ranking) => {
      const { index, ...rank } = shownRanking(ranking);
      const { version, state } = entries[index]!;
      return { index, version, state, ...rank };
    }),
  };
}

function evaluateMany(histories: readonly SentHistory[], options: RuleOptions) {
  const byClass: Record<HistoryClass, number> = {
    protected: 0,
    'minor-edge': 0,
    'minor-partial': 0,
    'z-partial': 0,
    other: 0,
  };
  let total = 0;
  let goneInAll = 0;
  const evaluations = histories.map(({ name, entries }) => {
    const { kept, removed } = pruneHistory(entries, options);
    for (const removal of removed) byClass[removal.class]++;
    const listed = removed
      .slice(0, Math.max(0, MOST_LISTED - goneInAll))
      .map(({ entry: { version, state }, ...removal }) => ({
        ...removal,
        rank: shownRank(removal.rank),
        version,
        state,
      }));
    total += entries.length;
    goneInAll += removed.length;
    return {
      name,
      entries: entries.length,
      keptTotal: kept.length,
      removedTotal: removed.length,
      removed: listed,
    };
  });
  return {
    mode: options.mode,
    max: options.max,
    evaluations,
    summary: { histories: histories.length, entries: total, removed: goneInAll, byClass },
  };
}

/** Keeps the entry as sent: the response returns it unchanged. */
interface SentEntry extends PrunableEntry {
  readonly sent: unknown;
}

interface SentHistory {
  readonly name: string | null;
  readonly entries: readonly SentEntry[];
}

const LONGEST_NAME = 200;
const STATES: readonly unknown[] = [...HISTORY_STATES, ''];

/** Reports every fault with its place, up to `MOST_FAULTS`. */
function sentHistories({ history, histories }: HistoryEvaluationRequest): SentHistory[] {
  if (history !== undefined && histories !== undefined) {
    throw invalidRequest([
      { pointer: '/histories', detail: 'is given beside history, one of them is accepted' },
    ]);
  }
  const faults: ErrorDetail[] = [];
  const sent = (value: unknown, pointer: string) =>
    new InputValue(
      value,
      {
        wording: KUBERNETES,
        mistake: (mistake) => {
          if (faults.length < MOST_FAULTS) faults.push(errorDetail(mistake));
        },
      },
      { pointer },
    );
  const reader = new HistoryReader();
  const read =
    histories === undefined
      ? [reader.one(sent(history, '/history'), null)]
      : reader.several(sent(histories, '/histories'));
  if (faults.length > 0) throw invalidRequest(faults);
  return read;
}

class HistoryReader {
  /** Total over all histories. */
  #entries = 0;

  several(list: InputValue): SentHistory[] {
    const { histories: most } = HISTORY_LIMITS;
    const histories = list.items();
    if (histories.length === 0) list.refuse('at least one history is needed');
    if (histories.length > most) {
      list.refuse(`${histories.length} are given, at most ${most} histories are accepted`);
      return [];
    }
    return histories.map((history) => this.#named(history));
  }

  one(list: InputValue, name: string | null): SentHistory {
    const none: SentHistory = { name, entries: [] };
    const { value } = list;
    if (!Array.isArray(value)) {
      const detail = 'a list of entries is accepted, as in status.history of a ClusterVersion';
      list.refuse(value === undefined ? `is missing, ${detail}` : detail);
      return none;
    }
    const { entries: most, entriesInAll } = HISTORY_LIMITS;
    if (value.length > most) {
      list.refuse(`${value.length} are given, at most ${most} entries are accepted in a history`);
      return none;
    }
    const isWithin = this.#entries <= entriesInAll;
    this.#entries += value.length;
    if (this.#entries > entriesInAll) {
      // Reports the excess once.
      if (isWithin) list.refuse(`with these there are more than ${entriesInAll} entries in all`);
      return none;
    }
    return { name, entries: list.items().map(readEntry) };
  }

  #named(history: InputValue): SentHistory {
    if (Array.isArray(history.value)) return this.one(history, null);
    if (!isObject(history.value)) {
      history.refuse('a list of entries is accepted, or {"name": …, "history": […]}');
      return { name: null, entries: [] };
    }
    const known = ['name', 'history'];
    for (const key of history.otherKeys(known).slice(0, MOST_FAULTS)) {
      history.at(truncate(key)).refuse(unknownName(key, known));
    }
    const name = history.at('name').text(LONGEST_NAME);
    return this.one(history.at('history'), name || null);
  }
}

function readEntry(entry: InputValue): SentEntry {
  const { value: sent } = entry;
  if (!isObject(sent)) {
    entry.mismatch('an entry');
    return { sent, state: '', version: '' };
  }
  return {
    sent,
    state: entry.at('state').parsed(readState, 'Completed, Partial or an empty text') ?? '',
    version: entry.at('version').text(),
  };
}

function readState(state: unknown): string | null {
  return STATES.includes(state) ? (state as string) : null;
}
