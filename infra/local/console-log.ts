import type { CairnEvent, EventSink } from '../../functions/runtime/events.ts';
import type { Log } from '../../functions/runtime/log.ts';

/** Log lines for a person at a terminal: a time, what happened, and the fields that are short. */
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

/** Where EventBridge would carry an event on, the local run prints a line. */
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
    channel: `${channel}/${arch}`,
    ...(versionsAdded.length > 0 && { added: versionsAdded.length }),
    ...(versionsWithdrawn.length > 0 && { withdrawn: versionsWithdrawn.join(',') }),
  };
}
