import type { ChannelChangesAnswer } from '../data/responses.ts';
import { counted } from '../lanes/words.ts';
import type { Tone } from '../ui/pill.tsx';

export type ChannelChange = ChannelChangesAnswer['changes'][number];

/** One thing that changed: `2 releases added`, and which. */
export interface ChangeLine {
  readonly tone: Tone;
  readonly what: string;
  readonly which: readonly string[];
}

const SHOWN = 8;

export function describeChange({ counts, ...change }: ChannelChange): ChangeLine[] {
  const { risksNew, risksGone } = change;
  const line = (tone: Tone, count: number, noun: string, done: string, which: readonly string[]) =>
    count === 0 ? [] : [{ tone, what: counted(count, noun) + done, which }];
  const newest = (versions: readonly string[], count: number) => some(versions.toReversed(), count);
  return [
    line('ok', counts.versionsAdded, 'release', ' added', newest(change.versionsAdded, counts.versionsAdded)),
    line(
      'block',
      counts.versionsWithdrawn,
      'release',
      ' withdrawn',
      newest(change.versionsWithdrawn, counts.versionsWithdrawn),
    ),
    line(
      'cond',
      counts.turnedConditional,
      'update',
      ' turned conditional',
      targets(change.turnedConditional),
    ),
    line('ok', counts.turnedPlain, 'update', ' recommended again', targets(change.turnedPlain)),
    line('cond', risksNew.length, 'new risk', '', some(risksNew, risksNew.length)),
    line('info', risksGone.length, 'risk', ' gone', some(risksGone, risksGone.length)),
    line('plain', counts.edgesAdded, 'update', ' added', []),
    line('plain', counts.edgesRemoved, 'update', ' removed', []),
  ].flat();
}

/** Lists of the service may be cut short; `count` is of all. */
function some(items: readonly string[], count: number): string[] {
  const shown = items.slice(0, SHOWN);
  return count > shown.length ? [...shown, `${(count - shown.length).toLocaleString('en')} more`] : shown;
}

function targets(updates: readonly { readonly to: string; readonly risks: readonly string[] }[]): string[] {
  const newestFirst = [...new Set(updates.map(({ to }) => `to ${to}`))].toReversed();
  return some(newestFirst, newestFirst.length);
}
