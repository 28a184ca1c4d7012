import { Field } from '@cairn/shared/input/input-value';
import type { PrunableEntry } from '@cairn/shared/prune/history/prune-history';
import type { ProblemDetail } from '../http/problem.ts';
import { invalidRequest, MOST_FAULTS, pointerTo, unknownName } from '../http/request.ts';
import { shown } from '@cairn/shared/text/quote';
import { HISTORY_LIMITS, type HistoryEvaluationRequest } from './prune-evaluation-requests.ts';
import { HISTORY_STATES } from '@cairn/shared/cluster/facts';

/** An entry of a history as it was sent, with what pruning looks at. */
export interface SentEntry extends PrunableEntry {
  readonly sent: unknown;
}

export interface SentHistory {
  readonly name: string | null;
  readonly entries: readonly SentEntry[];
}

const LONGEST_NAME = 200;
const STATES: readonly unknown[] = [...HISTORY_STATES, ''];

/** The histories of a request. Each fault in them, up to twenty, is told with its place. */
export function sentHistories({ history, histories }: HistoryEvaluationRequest): SentHistory[] {
  if (history !== undefined && histories !== undefined) {
    throw invalidRequest([
      { pointer: '/histories', detail: 'is given beside history, one of them is accepted' },
    ]);
  }
  const faults: ProblemDetail[] = [];
  const reader = new HistoryReader((pointer, detail) => {
    if (faults.length < MOST_FAULTS) faults.push({ pointer, detail });
  });
  const read = histories === undefined ? [reader.one(history, '/history', null)] : reader.several(histories);
  if (faults.length > 0) throw invalidRequest(faults);
  return read;
}

class HistoryReader {
  readonly #refuse: (pointer: string, detail: string) => void;
  /** So far, of all histories. */
  #entries = 0;

  constructor(refuse: (pointer: string, detail: string) => void) {
    this.#refuse = refuse;
  }

  several(histories: readonly unknown[]): SentHistory[] {
    const { histories: most } = HISTORY_LIMITS;
    if (histories.length === 0) this.#refuse('/histories', 'at least one history is needed');
    if (histories.length > most) {
      this.#refuse('/histories', `${histories.length} are given, at most ${most} histories are accepted`);
      return [];
    }
    return histories.map((value, index) => this.#named(value, `/histories/${index}`));
  }

  one(value: unknown, pointer: string, name: string | null): SentHistory {
    const none: SentHistory = { name, entries: [] };
    if (!Array.isArray(value)) {
      const detail = 'a list of entries is accepted, as in status.history of a ClusterVersion';
      this.#refuse(pointer, value === undefined ? `is missing, ${detail}` : detail);
      return none;
    }
    const { entries: most, entriesInAll } = HISTORY_LIMITS;
    if (value.length > most) {
      this.#refuse(pointer, `${value.length} are given, at most ${most} entries are accepted in a history`);
      return none;
    }
    const isWithin = this.#entries <= entriesInAll;
    this.#entries += value.length;
    if (this.#entries > entriesInAll) {
      // Told once, where it happens.
      if (isWithin) this.#refuse(pointer, `with these there are more than ${entriesInAll} entries in all`);
      return none;
    }
    return { name, entries: value.map((entry: unknown, index) => this.#entry(entry, `${pointer}/${index}`)) };
  }

  #named(value: unknown, pointer: string): SentHistory {
    if (Array.isArray(value)) return this.one(value, pointer, null);
    if (typeof value !== 'object' || value === null) {
      this.#refuse(pointer, 'a list of entries is accepted, or {"name": …, "history": […]}');
      return { name: null, entries: [] };
    }
    const { name: _name, history, ...others } = value as Record<string, unknown>;
    for (const key of Object.keys(others).slice(0, MOST_FAULTS)) {
      this.#refuse(pointer + pointerTo([shown(key)]), unknownName(key, ['name', 'history']));
    }
    const name = this.#field(value, pointer).at('name').text(LONGEST_NAME);
    return this.one(history, `${pointer}/history`, name || null);
  }

  #entry(sent: unknown, pointer: string): SentEntry {
    const entry = this.#field(sent, pointer);
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
      return entry.refuse('an entry', { sent, state: '', version: '' });
    }
    return {
      sent,
      state: entry.at('state').parsed(readState, 'Completed, Partial or an empty text', ''),
      version: entry.at('version').text(),
    };
  }

  #field(value: unknown, pointer: string): Field {
    return new Field(value, pointer, { mistake: this.#refuse, time: () => {} });
  }
}

function readState(state: unknown): string | null {
  return STATES.includes(state) ? (state as string) : null;
}
