import type { Total } from './breakers.ts';
import { type GoReason, goReason, type StayReason, stayReason, stays } from './selection.ts';
import { PLACE_LAYER, PLACE_REVISION } from '../registry/link-columns.ts';
import { type ItemSource, type PlannedItems } from './plan-items.ts';
import { DELETION_KINDS, type DeletionKind } from '../values.ts';

/** How many keys, of how many bytes, for each thing that can become of them. */
export type KindTotals = Readonly<Record<KeyState, Total>>;
export type KeyState = StayReason | 'condemned' | 'unlinked' | 'swept';

export interface PlanTotals {
  /** Of every key listed. `condemned` stays for now; `unlinked` links and `swept` blobs and uploads go in this run. */
  readonly totals: Readonly<Record<DeletionKind, KindTotals>>;
  /** Of what goes or is condemned. */
  readonly reasons: Readonly<Record<DeletionKind, ReadonlyMap<GoReason, Total>>>;
  readonly blobs: { readonly all: Total; readonly condemned: Total };
}

const STATES: readonly KeyState[] = [
  'kept',
  'in-use',
  'protected',
  'young',
  'frozen',
  'condemned',
  'unlinked',
  'swept',
];

interface Sum {
  count: number;
  bytes: number;
}

export function totalsOf({ view, marks, selection, uploads }: ItemSource, items: PlannedItems): PlanTotals {
  const totals = perKind(
    () => Object.fromEntries(STATES.map((state) => [state, { count: 0, bytes: 0 }])) as Record<KeyState, Sum>,
  );
  const reasons = perKind(() => new Map<GoReason, Sum>());
  const count = (kind: DeletionKind, state: KeyState, reason: GoReason | null, bytes: number): void => {
    add(totals[kind][state], bytes);
    if (reason === null) return;
    let sum = reasons[kind].get(reason);
    if (sum === undefined) reasons[kind].set(reason, (sum = { count: 0, bytes: 0 }));
    add(sum, bytes);
  };
  for (let row = 0; row < view.place.length; row++) {
    const place = view.place[row]!;
    const kind = place === PLACE_LAYER ? 'layer' : place === PLACE_REVISION ? 'revision' : 'tag';
    const fate = marks.links[row]!;
    const bytes = items.linkBytes(row);
    if (stays(fate)) count(kind, stayReason(fate), null, bytes);
    else count(kind, selection.goes[row] === 1 ? 'unlinked' : 'condemned', goReason(fate), bytes);
  }
  const all = { count: 0, bytes: 0 };
  const condemned = { count: 0, bytes: 0 };
  for (let id = 0; id < view.blobSizes.length; id++) {
    const bytes = view.blobSizes[id]!;
    if (bytes === -1) continue;
    add(all, bytes);
    const fate = marks.blobs[id]!;
    if (stays(fate)) count('blob', stayReason(fate), null, bytes);
    else {
      add(condemned, bytes);
      count('blob', selection.blobGoes[id] === 1 ? 'swept' : 'condemned', goReason(fate), bytes);
    }
  }
  for (const { upload, fate, going } of uploads) {
    for (const [index, { size }] of upload.files.entries()) {
      if (fate === 'abandoned') count('upload', index < going ? 'swept' : 'condemned', fate, size);
      else count('upload', fate, null, size);
    }
  }
  return { totals, reasons, blobs: { all, condemned } };
}

function add(sum: Sum, bytes: number): void {
  sum.count++;
  sum.bytes += bytes;
}

function perKind<T>(make: () => T): Record<DeletionKind, T> {
  return Object.fromEntries(DELETION_KINDS.map((kind) => [kind, make()])) as Record<DeletionKind, T>;
}
