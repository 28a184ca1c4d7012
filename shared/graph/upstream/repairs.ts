/** What was left out of an answer or cleaned in it. */
export type RepairCode =
  | 'NodeNotObject'
  | 'BadVersion'
  | 'BadPayload'
  | 'ForeignArch'
  | 'MetadataDropped'
  | 'ArchitectureDropped'
  | 'UrlTrimmed'
  | 'UrlDropped'
  | 'ChannelsCleaned'
  | 'EdgeWithoutNode'
  | 'DuplicateEdge'
  | 'PlainAndConditional'
  | 'PairInTwoGroups'
  | 'SharedPayload'
  | 'RulePruned'
  | 'RiskUnusable'
  | 'RiskNameConflict'
  | 'EdgeWithheld';

export interface Repair {
  readonly code: RepairCode;
  readonly count: number;
  /** At most five, the first in text order, so that the order of the answer does not show. */
  readonly examples: readonly string[];
}

/** Sorted by code. */
export type RepairReport = readonly Repair[];

const EXAMPLES = 5;

/** Counts repairs while an answer is read. */
export class Repairs {
  readonly #entries = new Map<RepairCode, { count: number; examples: string[] }>();

  note(code: RepairCode, example: string): void {
    const entry = this.#entries.get(code) ?? { count: 0, examples: [] };
    this.#entries.set(code, entry);
    entry.count++;
    const { examples } = entry;
    if (examples.includes(example)) return;
    if (examples.length === EXAMPLES && example >= examples.at(-1)!) return;
    const position = examples.findIndex((known) => example < known);
    examples.splice(position === -1 ? examples.length : position, 0, example);
    examples.length = Math.min(examples.length, EXAMPLES);
  }

  report(): RepairReport {
    return [...this.#entries]
      .map(([code, { count, examples }]) => ({ code, count, examples: [...examples] }))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  }
}
