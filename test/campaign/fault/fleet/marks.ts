import type { TableCall } from '../harness/table-proxy.ts';
import type { Chronicle } from './chronicle.ts';

/** A writer that has not come to its end by then has died: its mark may go. */
const WRITER_DEAD_MS = 3600_000;

interface Mark {
  readonly revision: string;
  readonly at: number;
}

/** Watches the marks of reports: none may go before the report that it tells of is there. */
export class Marks {
  readonly #chronicle: Chronicle;
  readonly #marks = new Map<string, Mark>();
  /** How many changes of each cluster are there. */
  readonly #heads = new Map<string, number>();

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
  }

  wrote({ operation, keys, input }: TableCall): void {
    const [pk = '', sk = ''] = keys[0]?.split('|') ?? [];
    const id = pk.split('#')[1] ?? '';
    if (operation === 'PutItem' && pk.startsWith('CLUSTER#') && sk === '!HEAD') {
      this.#heads.set(id, Number.parseInt(input.Item!['revision']!.S!, 10));
    }
    if (!pk.startsWith('FLEET#') || sk !== 'REPORTED') return;
    if (operation === 'PutItem') {
      const { revision, at } = input.Item!;
      this.#marks.set(id, { revision: revision!.S!, at: Date.parse(at!.S!) });
    } else if (operation === 'DeleteItem') this.#unmarked(id);
  }

  #unmarked(id: string): void {
    const mark = this.#marks.get(id);
    this.#marks.delete(id);
    if (mark === undefined || Date.now() - mark.at > WRITER_DEAD_MS) return;
    // By a slot that is ahead every writer is long dead.
    if (this.#chronicle.hasWrongSlots) return;
    if (Number.parseInt(mark.revision, 10) > (this.#heads.get(id) ?? 0)) {
      this.#chronicle.violate(`the mark of ${id} goes before its report is there`);
    }
  }
}
