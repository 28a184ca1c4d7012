import type { Arch } from '@cairn/shared/version/arch';
import { useState } from 'preact/hooks';
import type { ChannelChangesAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { counted } from '../lanes/model.ts';
import { Pill, type Tone, Button } from '../ui/controls.tsx';
import { Loaded } from '../ui/lazy.tsx';
import { localTime } from '../ui/text.ts';

const DAYS = 90;
const PAGE = 10;

/** Newest first. */
export function ChannelChanges({ channel, arch }: { readonly channel: string; readonly arch: Arch }) {
  // Cursor of each page; empty for the first.
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  return (
    <section class="card stack">
      <h2>What changed</h2>
      {cursors.map((cursor, at) => (
        <ChangePage
          key={cursor}
          address={`/v1/channels/${channel}/${arch}/changes?limit=${PAGE}&${cursor ? `cursor=${cursor}` : `since=${DAYS}d`}`}
          isLast={at === cursors.length - 1}
          onOlder={(next) => setCursors([...cursors, next])}
        />
      ))}
    </section>
  );
}

interface ChangePageProps {
  readonly address: string;
  readonly isLast: boolean;
  readonly onOlder: (cursor: string) => void;
}

function ChangePage({ address, isLast, onOlder }: ChangePageProps) {
  const resource = useJson<ChannelChangesAnswer>(address);
  return (
    <Loaded resource={resource} what="changes">
      {({ changes, nextCursor }) => (
        <>
          {changes.length === 0 && <p class="muted">Nothing changed in the last {DAYS} days.</p>}
          {changes.map((change, at) => (
            <div key={at} class="releases-change">
              <h3 class="small muted">{localTime(change.at)}</h3>
              <ul class="stack-small">
                {describeChange(change).map(({ tone, what, which }) => (
                  <li key={what}>
                    <Pill tone={tone}>{what}</Pill> <span class="small">{which.join(', ')}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {isLast && nextCursor !== null && (
            <p>
              <Button onClick={() => onOlder(nextCursor)}>Show older</Button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

export type ChannelChange = ChannelChangesAnswer['changes'][number];

/** `2 releases added`, with their names. */
interface ChangeLine {
  readonly tone: Tone;
  readonly what: string;
  readonly which: readonly string[];
}

const SHOWN = 8;

export function describeChange({ counts, ...change }: ChannelChange): ChangeLine[] {
  const { risksNew, risksGone } = change;
  const line = (
    tone: Tone,
    count: number,
    [noun, done]: readonly [string, string],
    which: readonly string[],
  ) => (count === 0 ? [] : [{ tone, what: counted(count, noun) + done, which }]);
  const newest = (versions: readonly string[], count: number) => some(versions.toReversed(), count);
  const { versionsAdded, versionsWithdrawn, turnedConditional, turnedPlain } = counts;
  return [
    line('ok', versionsAdded, ['release', ' added'], newest(change.versionsAdded, versionsAdded)),
    line(
      'block',
      versionsWithdrawn,
      ['release', ' withdrawn'],
      newest(change.versionsWithdrawn, versionsWithdrawn),
    ),
    line('cond', turnedConditional, ['update', ' turned conditional'], targets(change.turnedConditional)),
    line('ok', turnedPlain, ['update', ' recommended again'], targets(change.turnedPlain)),
    line('cond', risksNew.length, ['new risk', ''], some(risksNew, risksNew.length)),
    line('info', risksGone.length, ['risk', ' gone'], some(risksGone, risksGone.length)),
    line('plain', counts.edgesAdded, ['update', ' added'], []),
    line('plain', counts.edgesRemoved, ['update', ' removed'], []),
  ].flat();
}

/** The service can truncate lists; `count` is the total. */
function some(items: readonly string[], count: number): string[] {
  const shown = items.slice(0, SHOWN);
  return count > shown.length ? [...shown, `${(count - shown.length).toLocaleString('en')} more`] : shown;
}

function targets(updates: readonly { readonly to: string; readonly risks: readonly string[] }[]): string[] {
  const newestFirst = [...new Set(updates.map(({ to }) => `to ${to}`))].toReversed();
  return some(newestFirst, newestFirst.length);
}
