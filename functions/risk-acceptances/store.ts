import type { Store } from '@cairn/shared/prune/objects/options';
import type { Prunable } from '@cairn/shared/prune/objects/resource';
import {
  type ACCEPTANCE_ACTIONS,
  type AcceptanceState,
  isActive,
  type RiskAcceptance,
} from '@cairn/shared/risk/acceptances';
import { sha256Hex } from '../runtime/hash.ts';
import { deleteRevision, readItem, type RevisedItem, reviseItem } from '../store/item.ts';
import { ACCEPTANCE_LIST, acceptanceKey } from '../store/keys.ts';
import { storedCodec } from '../store/migrations.ts';
import { queryPartition } from '../store/query.ts';
import type { Table } from '../store/table.ts';

export interface AcceptanceChange {
  readonly at: string;
  /** Principal that changed it. */
  readonly by: string;
  readonly action: (typeof ACCEPTANCE_ACTIONS)[number];
  /** Fields that the change set. */
  readonly set: Partial<RiskAcceptance>;
}

/** An acceptance without its history. */
export interface ListedAcceptance extends RiskAcceptance, RevisedItem {
  readonly id: string;
  readonly created: Pick<AcceptanceChange, 'at' | 'by'>;
  readonly changed: Pick<AcceptanceChange, 'at' | 'by'>;
  readonly isDeleted: boolean;
  /** Whether assessments count it, as far as the fleet job knows. */
  readonly isCounted: boolean;
  /** Clusters that the fleet job has to assess again because of changes. */
  readonly stale: readonly string[] | 'all';
}

export interface StoredAcceptance extends ListedAcceptance {
  /** Oldest first, without changes that are too old to keep. */
  readonly history: readonly AcceptanceChange[];
}

type AcceptanceItem = Omit<StoredAcceptance, 'revision'>;

const acceptanceCodec = storedCodec<AcceptanceItem>('acceptance', {
  write: ({ id, history, ...acceptance }) => ({
    id,
    acceptance: JSON.stringify(acceptance),
    history: JSON.stringify(history),
  }),
  // A Query leaves out the history.
  read: ({ id, acceptance, history = '[]' }) => ({
    id,
    ...JSON.parse(acceptance as string),
    history: JSON.parse(history as string),
  }),
});

/** All acceptances by ID, also expired and deleted ones, with one Query. */
export async function readAcceptances(table: Table): Promise<readonly ListedAcceptance[]> {
  const attributes = ['id', 'acceptance', 'revision', 'v'];
  const items = await queryPartition(table, ACCEPTANCE_LIST, { attributes });
  return items.map((item) => ({ ...acceptanceCodec.view(item), revision: String(item['revision']) }));
}

/** Acceptances that are not deleted. */
export async function readCounting(table: Table): Promise<readonly RiskAcceptance[]> {
  return (await readAcceptances(table)).filter(({ isDeleted }) => !isDeleted);
}

export async function readAcceptance(table: Table, id: string): Promise<StoredAcceptance | null> {
  const item = await readItem(table, acceptanceKey(id));
  return item && living({ ...acceptanceCodec.view(item), revision: String(item['revision']) });
}

export function stateOf({ isDeleted, ...acceptance }: ListedAcceptance, now: number): AcceptanceState {
  if (isDeleted) return 'deleted';
  return isActive(acceptance, now) ? 'active' : 'expired';
}

/** Changes with every change of an acceptance and with its state, not with what the fleet job notes. */
export function entityTag(stored: ListedAcceptance, now: number): string {
  const { id, changed, risk, reason, owner, until, clusters } = stored;
  const content = JSON.stringify([id, changed, risk, reason, owner, until, clusters]);
  return `"${sha256Hex(content).slice(0, 16)}-${stateOf(stored, now)}"`;
}

type Changed =
  | {
      readonly outcome: 'changed' | 'unchanged';
      readonly acceptance: StoredAcceptance;
      readonly isNew: boolean;
    }
  | { readonly outcome: 'unknown' | 'contended' };

/** Creates or replaces an acceptance. `check` may throw to refuse. The same content again writes nothing. */
export async function putAcceptance(
  table: Table,
  id: string,
  acceptance: RiskAcceptance,
  { at, by, check }: Change,
): Promise<Changed> {
  return changeAcceptance(table, id, (former) => {
    const known = former && living(former);
    check(known);
    const set = changedFields(known, acceptance);
    if (known !== null && Object.keys(set).length === 0) return null;
    const counted = former?.isCounted ? former.clusters : [];
    return {
      id,
      ...acceptance,
      created: known?.created ?? { at, by },
      changed: { at, by },
      isDeleted: false,
      isCounted: true,
      stale: union(former?.stale ?? [], counted, acceptance.clusters),
      history: within([
        ...(former?.history ?? []),
        { at, by, action: known === null ? 'created' : 'replaced', set },
      ]),
    };
  });
}

interface Change {
  readonly at: string;
  readonly by: string;
  readonly check: (stored: StoredAcceptance | null) => void;
}

/** Deletes an acceptance: it stays with its history until housekeeping removes it. */
export async function deleteAcceptance(
  table: Table,
  id: string,
  { at, by, check }: Change,
): Promise<Changed> {
  return changeAcceptance(table, id, (former) => {
    if (former === null || former.isDeleted) return null;
    check(former);
    const { revision: _revision, ...item } = former;
    return {
      ...item,
      changed: { at, by },
      isDeleted: true,
      isCounted: false,
      stale: union(former.stale, former.isCounted ? former.clusters : []),
      history: within([...former.history, { at, by, action: 'deleted', set: {} }]),
    };
  });
}

/** Notes that the affected clusters are marked, unless the acceptance changed since. */
export async function settleAcceptance(
  table: Table,
  { id, revision }: ListedAcceptance,
  isCounted: boolean,
): Promise<void> {
  await reviseItem(table, acceptanceKey(id), acceptanceCodec, (former, current) =>
    former === null || current !== revision ? null : { ...former, isCounted, stale: [] },
  );
}

export const ENDED_ACCEPTANCE = 'EndedAcceptance';

interface EndedAcceptance extends Prunable, RevisedItem {}

/**
 * Deleted and expired acceptances for pruning, by the time of their end. Without those whose clusters the fleet job has
 * not marked yet.
 */
export function endedAcceptances(table: Table, now: number): Store<EndedAcceptance> {
  return {
    async *list() {
      for (const acceptance of await readAcceptances(table)) {
        const { id, isDeleted, changed, until, isCounted, stale, revision } = acceptance;
        if (stateOf(acceptance, now) === 'active' || isCounted || stale.length > 0) continue;
        const createdAt = new Date(isDeleted ? changed.at : until);
        yield { kind: ENDED_ACCEPTANCE, name: id, createdAt, revision };
      }
    },
    async remove(ended) {
      return (await deleteRevision(table, acceptanceKey(ended.name), ended)) ? 'deleted' : 'absent';
    },
  };
}

async function changeAcceptance(
  table: Table,
  id: string,
  change: (former: StoredAcceptance | null) => AcceptanceItem | null,
): Promise<Changed> {
  let isNew = false;
  const revised = await reviseItem(table, acceptanceKey(id), acceptanceCodec, (item, revision) => {
    const former = item && { ...item, revision: revision! };
    isNew = former === null || former.isDeleted;
    return change(former);
  });
  if (revised === 'contended') return { outcome: 'contended' };
  const { value, revision, isWritten } = revised;
  if (value === null || (!isWritten && value.isDeleted)) return { outcome: 'unknown' };
  const acceptance = { ...value, revision: revision! };
  return { outcome: isWritten ? 'changed' : 'unchanged', acceptance, isNew };
}

function living<Stored extends ListedAcceptance>(stored: Stored): Stored | null {
  return stored.isDeleted ? null : stored;
}

function changedFields(former: RiskAcceptance | null, next: RiskAcceptance): Partial<RiskAcceptance> {
  if (former === null) return next;
  const fields = Object.entries(next) as [keyof RiskAcceptance, unknown][];
  return Object.fromEntries(
    fields.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name])),
  );
}

/** In bytes; the largest list of clusters takes as much. An item has at most 400 KB: it has a list and both of these. */
const LARGEST = { stale: 110_000, history: 120_000 } as const;

/** All clusters, if the list gets too large: changes may come faster than the fleet job runs. */
function union(...lists: readonly (readonly string[] | 'all')[]): readonly string[] | 'all' {
  const ids = new Set<string>();
  for (const list of lists) {
    if (list === 'all') return 'all';
    for (const id of list) ids.add(id);
  }
  const named = [...ids].toSorted();
  return sizeOf(named) > LARGEST.stale ? 'all' : named;
}

const MOST_CHANGES = 50;

/** The newest changes; the last one always stays. */
function within(history: readonly AcceptanceChange[]): readonly AcceptanceChange[] {
  let size = 0;
  const newestFirst = history.toReversed().slice(0, MOST_CHANGES);
  const end = newestFirst.findIndex((change, index) => {
    size += sizeOf(change);
    return index > 0 && size > LARGEST.history;
  });
  return (end < 0 ? newestFirst : newestFirst.slice(0, end)).toReversed();
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
