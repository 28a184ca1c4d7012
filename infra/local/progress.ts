import { pairName } from '@cairn/shared/releases/channel';
import { asText } from '@cairn/shared/text/as-text';
import { lines } from '@cairn/shared/text/blocks';
import type { CairnEvent, EventSink } from '../../functions/runtime/events.ts';
import type { Log } from '../../functions/runtime/log.ts';
import type { SyncResult } from '../../functions/sync/job.ts';

const BAR_WIDTH = 30;
/** Steps between lines without a terminal. */
const LINE_EVERY = 10;

/** Log lines for a terminal: time, message, and short fields. */
export const consoleLog: Log = {
  info: (message, fields) => console.log(line(message, fields)),
  warn: (message, fields) => console.warn(line(`warning: ${message}`, fields)),
  error: (message, fields) => console.error(line(`error: ${message}`, fields)),
};

function line(message: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}=${show(value)}`);
  return [new Date().toISOString().slice(11, 19), message, ...details].join(' ');
}

function show(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function logEvents(log: Log): EventSink {
  return {
    async publish(events) {
      for (const event of events) log.info(`event ${event.type}`, summaryOf(event));
      return [];
    },
  };
}

function summaryOf({ type, detail }: CairnEvent): Record<string, unknown> {
  if (type === 'Message') return { text: detail.text };
  if (type !== 'ChannelChanged' && type !== 'VersionsWithdrawn') return detail;
  const { channel, arch, versionsAdded, versionsWithdrawn } = detail;
  return {
    channel: pairName(channel, arch),
    ...(versionsAdded.length > 0 && { added: versionsAdded.length }),
    ...(versionsWithdrawn.length > 0 && { withdrawn: versionsWithdrawn.join(',') }),
  };
}

interface Progress {
  step(done: number, total: number, what: string): void;
  end(): void;
}

export function createProgress(out: NodeJS.WriteStream, title: string): Progress {
  return out.isTTY ? barProgress(out, title) : lineProgress(out, title);
}

function barProgress(out: NodeJS.WriteStream, title: string): Progress {
  return {
    step(done, total, what) {
      const filled = Math.round((done / total) * BAR_WIDTH);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
      const line = `${title} ${bar} ${done}/${total} ${what}`;
      out.write(`\r\u001b[K${line.slice(0, out.columns - 1)}`);
    },
    end() {
      out.write('\r\u001b[K');
    },
  };
}

function lineProgress(out: NodeJS.WriteStream, title: string): Progress {
  return {
    step(done, total, what) {
      if (done % LINE_EVERY === 0 || done === total) out.write(`${title} ${done}/${total} ${what}\n`);
    },
    end() {},
  };
}

/** One line per pair, then totals. */
export function resultTable(result: SyncResult): string {
  if (result.status === 'Skipped') return `sync skipped: ${result.reason}\n`;
  const rows = result.pairs.map(({ pair, state }) => [
    pair.channel,
    pair.arch,
    state.outcome,
    String(state.nodes),
    String(state.edges),
    state.held?.reason ?? (state.error ? `${state.error.code}: ${state.error.detail}` : ''),
  ]);
  const header = ['CHANNEL', 'ARCH', 'RESULT', 'VERSIONS', 'UPDATES', 'NOTE'];
  const { outcome, versionsAdded, durationMs, notes } = result.record;
  const sum = `${outcome}: ${rows.length} channels, ${versionsAdded} new versions, ${(durationMs / 1000).toFixed(1)} s`;
  return asText([{ kind: 'table', header, rows }, lines(sum, ...notes)]);
}

export function firstSyncLine(result: SyncResult): string {
  if (result.status === 'Skipped') return `The first sync was skipped (${result.reason}).\n`;
  const { pairs, versionsAdded } = result.record;
  const good = pairs.published + pairs.unchanged;
  const total = good + pairs.held + pairs.failed + pairs.skipped;
  const rest = good === total ? '' : `; GET /v1/sync tells what happened to the others`;
  // After a change of the configuration, most are known.
  const versions = versionsAdded === 0 ? 'no new versions' : `${versionsAdded} versions`;
  return `Synced ${good} of ${total} channels, ${versions}${rest}.\n`;
}

export function readyText(
  url: string,
  minor: string,
  { needsToken, hasConsole }: { readonly needsToken: boolean; readonly hasConsole: boolean },
): string {
  const curl = needsToken ? 'curl -H "Authorization: Bearer $AUTH_TOKEN"' : 'curl';
  const open = `Open ${url} in a browser${needsToken ? ', which asks for the token' : ''}, or try:`;
  return `Cairn is ready at ${url}

${hasConsole ? open : 'Try:'}
  ${curl} '${url}/v2/openshift-versions?only_latest=true'
  ${curl} '${url}/v2/openshift-versions?version=${minor}'
  ${curl} '${url}/v1/sync'

Ctrl-C ends it.
`;
}
