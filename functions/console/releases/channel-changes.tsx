import type { Arch } from '@cairn/shared/version/arch';
import { useState } from 'preact/hooks';
import type { ChannelChangesAnswer } from '../data/responses.ts';
import { getJson } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { Pill } from '../ui/pill.tsx';
import { localTime } from '../ui/text.ts';
import { describeChange } from './change-words.ts';
import { Loaded } from '../ui/loaded.tsx';

const DAYS = 90;
const PAGE = 10;

interface ChannelChangesProps {
  readonly channel: string;
  readonly arch: Arch;
}

/** What changed in a channel lately, newest first. */
export function ChannelChanges({ channel, arch }: ChannelChangesProps) {
  // Where each page begins: nothing for the first, then the cursor that the page before ended with.
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
  const resource = useResource(address, (signal) => getJson<ChannelChangesAnswer>(address, signal));
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
              <button type="button" class="button" onClick={() => onOlder(nextCursor)}>
                Show older
              </button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
