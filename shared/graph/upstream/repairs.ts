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
  /** The first five when sorted, so that they do not depend on the order of the response. */
  readonly examples: readonly string[];
}

/** Sorted by code. */
export type RepairReport = readonly Repair[];

const EXAMPLES = 5;

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
