import { countInWords, joinInWords } from '../text/words.ts';
import type { ControlPlaneStatus, NodeStatus } from './answer.ts';
import type { UpdateEvidence } from './insights/insights.ts';
import { type StalledReason, stalledInWords } from './insights/stalled.ts';
import { isBehind, type PoolProgress } from './pools.ts';
import { targetOf } from './target.ts';
import { isoTime, MINUTE_SECONDS } from './times.ts';

interface Running {
  readonly controlPlane: ControlPlaneStatus;
  readonly stalled: readonly StalledReason[];
}

/** `4.14.0 → 4.14.1: 97% of the control plane, 1 node draining, about 6 minutes`; `running` is null without an update. */
export function summaryOf(evidence: UpdateEvidence, running: Running | null): string {
  const { update, at } = evidence;
  if (running === null) return idleSummary(evidence);
  const { version, previous } = targetOf(update);
  const move = previous === null ? `Installation of ${version}` : `${previous} → ${version}`;
  const notes = [
    ...(at < update.begin ? [`the update begins later, at ${update.startedAt}`] : []),
    controlPlaneNote(running.controlPlane),
    ...poolNotes(evidence.pools),
    ...clockNotes(running),
  ];
  return `${move}: ${notes.join(', ')}`;
}

function idleSummary({ update: { version, completed } }: UpdateEvidence): string {
  const since = completed === null ? '' : ` since ${isoTime(completed)}`;
  return `No update is in progress. The cluster runs ${version}${since}`;
}

function controlPlaneNote({ assessment, completion: { percent } }: ControlPlaneStatus): string {
  if (assessment === 'Completed') return 'control plane completed';
  return percent === null ? 'progress of the control plane unknown' : `${percent}% of the control plane`;
}

function poolNotes(pools: readonly PoolProgress[]): string[] {
  const nodes = pools.flatMap(({ status }) => status.nodes);
  const counted = (what: string, isMeant: (node: NodeStatus) => boolean): string[] => {
    const count = nodes.filter(isMeant).length;
    return count === 0 ? [] : [`${countInWords(count, 'node')} ${what}`];
  };
  const paused = pools.filter((pool) => isBehind(pool) && pool.pool.paused).map(({ pool }) => pool.name);
  return [
    ...counted('draining', ({ phase }) => phase === 'Draining'),
    ...counted('updating', ({ phase }) => phase === 'Updating' || phase === 'Rebooting'),
    ...counted('waiting', ({ phase }) => phase === 'Pending'),
    ...counted('degraded', ({ degraded }) => degraded),
    ...(paused.length === 0 ? [] : [`paused: ${joinInWords(paused)}`]),
  ];
}

function clockNotes({ controlPlane: { remaining, assessment }, stalled }: Running): string[] {
  if (stalled.length > 0) return [`stalled: ${joinInWords(stalled.map(stalledInWords))}`];
  if (assessment === 'ProgressingSlow' || assessment === 'Stalled') return ['slower than estimated'];
  if (remaining === null || remaining.seconds <= 0) return [];
  return [`about ${countInWords(Math.ceil(remaining.seconds / MINUTE_SECONDS), 'minute')}`];
}
