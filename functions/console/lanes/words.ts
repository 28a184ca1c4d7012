import type { Frontier } from './model.ts';
import type { Mark } from './marks.ts';
import type { Direction, UpdateCounts } from './updates.ts';

/** `1 release`, `69 releases`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `43 recommended and 25 conditional updates out`. */
export function countsInWords({ recommended, conditional }: UpdateCounts, direction: Direction): string {
  if (recommended + conditional === 0) return `no updates ${direction}`;
  const kinds = [
    ...(recommended > 0 ? [`${recommended} recommended`] : []),
    ...(conditional > 0 ? [`${conditional} conditional`] : []),
  ];
  return `${kinds.join(' and ')} update${recommended + conditional === 1 ? '' : 's'} ${direction}`;
}

/** What a release is at the moment, beside being one. */
export interface ReleaseNotes {
  readonly isOnPath: boolean;
  readonly mark: Mark;
  readonly selected: string | null;
  readonly direction: Direction;
  readonly frontier: Frontier | null;
  readonly clusters: number;
}

/** Each with a symbol that says the same as its shape in the lanes. */
export interface Note {
  readonly symbol: string;
  readonly text: string;
  /** What it is about: `from 4.15.40`. */
  readonly about: string;
  readonly kind: 'path' | Mark;
}

export function notesOf({ isOnPath, mark, selected, direction, frontier }: ReleaseNotes): Note[] {
  const notes: Note[] = isOnPath
    ? [{ symbol: '━', text: 'on the planned path', about: '', kind: 'path' }]
    : [];
  const about = `${direction === 'out' ? 'from' : 'to'} ${selected}`;
  if (mark === 'recommended') notes.push({ symbol: '●', text: 'recommended', about, kind: mark });
  if (mark === 'conditional') notes.push({ symbol: '▲', text: 'conditional', about, kind: mark });
  if (mark === 'reached')
    notes.push({ symbol: '○', text: 'reached', about: `from ${frontier?.from}`, kind: mark });
  if (mark === 'leading') notes.push({ symbol: '◇', text: 'leads', about: `to ${frontier?.to}`, kind: mark });
  return notes;
}

/** `4.15.40, 43 recommended and 25 conditional updates out, on the planned path`. */
export function releaseLabel(version: string, counts: UpdateCounts, notes: ReleaseNotes): string {
  return [
    version,
    countsInWords(counts, 'out'),
    ...notesOf(notes).map(({ text, about }) => `${text} ${about}`.trim()),
    ...(notes.clusters > 0 ? [`${counted(notes.clusters, 'cluster')} here`] : []),
  ].join(', ');
}
