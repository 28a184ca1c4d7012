import { minutesInWords } from '@cairn/shared/plan/words';
import { countInWords } from '@cairn/shared/text/words';
import type { ClusterUpdatesAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Day, Table } from '../fleet/parts.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { Move, ProgressBar } from './marks.tsx';
import type { PastUpdate } from './pools.tsx';
import { tookInWords } from './status-words.ts';

/** In the details of a cluster. */
export function PastUpdates({ id, revision }: { readonly id: string; readonly revision: string }) {
  const path = `/v1/clusters/${encodeURIComponent(id)}/updates`;
  const { value, error, reload } = useJson<ClusterUpdatesAnswer>(path, revision);
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  const ended = endedOf(value?.updates ?? []);
  if (ended.length === 0) return null;
  return (
    <section class="stack-small">
      <h2>Past updates</h2>
      <UpdatesTable label="Past updates" updates={ended} />
    </section>
  );
}

const endedOf = (updates: readonly PastUpdate[]): PastUpdate[] =>
  updates.filter(({ state }) => state !== 'in-progress');

interface TableProps {
  readonly label: string;
  readonly updates: readonly PastUpdate[];
}

function UpdatesTable({ label, updates }: TableProps) {
  return (
    <Table
      label={label}
      head={['Update', 'Started', 'Control plane', 'Pools', 'Whole', 'Stalled']}
      rows={updates.map((update) => {
        const { version, previous, startedAt, minutes, pools } = update;
        const workers = pools.filter(({ name, nodes }) => name !== 'master' && nodes > 0);
        return [
          previous === null ? `Installation of ${version}` : `${previous} to ${version}`,
          <Day day={startedAt} />,
          took(minutes.controlPlane),
          workers.map((pool) => `${pool.name} ${took(pool.minutes)}`).join(', ') || '–',
          took(minutes.whole),
          stallsInWords(update),
        ];
      })}
    />
  );
}

/** How long each part of the last update took, and the ones before it. */
export function PastUpdatesPanel({ updates }: { readonly updates: readonly PastUpdate[] }) {
  const [last, ...others] = endedOf(updates);
  if (last === undefined) return null;
  return (
    <section class="upd-panel" aria-labelledby="upd-past">
      <div class="upd-panel-head">
        <h2 id="upd-past">
          Last update, <Move from={last.previous} to={last.version} />
        </h2>
        <span class="muted push">
          <Day day={last.startedAt} />
        </span>
      </div>
      <PastUpdateParts update={last} />
      {others.length > 0 && (
        <details class="upd-more">
          <summary>{countInWords(others.length, 'earlier update')}</summary>
          <UpdatesTable label="Earlier updates" updates={others} />
        </details>
      )}
    </section>
  );
}

const took = (minutes: number | null): string => (minutes === null ? 'not known' : minutesInWords(minutes));

/** Minutes of all stalls together, which can overlap. */
function stallsInWords({ stalls }: PastUpdate): string {
  if (stalls.length === 0) return 'never';
  const most = Math.max(...stalls.map(({ minutes }) => minutes));
  return `${countInWords(stalls.length, 'time')}, up to ${minutesInWords(most)}`;
}

function PastUpdateParts({ update }: { readonly update: PastUpdate }) {
  const { minutes, pools, state, slowestNodes, slowestOperators } = update;
  const whole = tookInWords(update);
  const parts = [
    { name: 'Control plane', minutes: minutes.controlPlane },
    ...pools
      .filter(({ name, nodes }) => name !== 'master' && nodes > 0)
      .map((pool) => ({ name: `Pool ${pool.name}`, minutes: pool.minutes })),
  ];
  const longest = Math.max(1, ...parts.map((part) => part.minutes ?? 0));
  const [node] = slowestNodes;
  const [operator] = slowestOperators;
  const notes = [
    ...(whole === null ? [] : [whole]),
    ...(state === 'superseded' ? ['Another update replaced it before it ended.'] : []),
    ...(node === undefined
      ? []
      : [`Slowest node: ${node.name}, ${minutesInWords(Math.round(node.minutes))}.`]),
    ...(operator === undefined
      ? []
      : [`Slowest operator: ${operator.name}, ${minutesInWords(Math.round(operator.minutes))}.`]),
    ...(update.stalls.length === 0 ? [] : [`Stalled ${stallsInWords(update)}.`]),
  ];
  return (
    <>
      <ul class="upd-bars upd-past upd-row">
        {parts.map((part) => (
          <li key={part.name}>
            <span>{part.name}</span>
            <ProgressBar
              bar={{ ...PAST_BAR, name: part.name, done: part.minutes ?? 0, total: longest + 1 }}
            />
            <span class="upd-bar-text">{took(part.minutes)}</span>
          </li>
        ))}
      </ul>
      <p class="upd-row">{notes.join(' ')}</p>
    </>
  );
}

const PAST_BAR = { moving: 0, stuck: 0, isStalled: false, text: '' } as const;
