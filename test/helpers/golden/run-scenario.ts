import { maskChanging } from './masks.ts';
import { jsonOf, type Recording, type Recordings } from './recordings.ts';
import { connections, sendRequest } from './send-request.ts';
import { type Service, startService } from './service.ts';
import type { Group, RequestStep, Scenario } from './steps.ts';

const SECOND = 1000;

interface Run {
  readonly service: Service;
  readonly kept: Map<string, string>;
  readonly onMissing: (what: string) => void;
}

/**
 * Runs all groups of a scenario, because each group depends on the state of the former ones. `onMissing` receives
 * each value that a later request needs but no response contains.
 */
export async function runScenario(
  { service: options, groups }: Scenario,
  onMissing: (what: string) => void,
): Promise<Map<string, Recordings>> {
  const service = await startService(options, Date.parse(groups[0]!.startsAt));
  const run: Run = { service, kept: new Map([['webhook', service.webhook]]), onMissing };
  try {
    const recorded = new Map<string, Recordings>();
    for (const group of groups) recorded.set(group.name, await runGroup(run, group));
    return recorded;
  } finally {
    connections.destroy();
    await service.close();
  }
}

async function runGroup(run: Run, group: Group): Promise<Recordings> {
  const { service, kept } = run;
  const recordings = new Map<string, Recording>();
  let time = Date.parse(group.startsAt);
  for (const [at, step] of group.steps.entries()) {
    time += (step.after ?? 1) * SECOND;
    const id = 'order' in step ? `order ${at}` : step.id;
    service.setMoment(time, `${group.name} ${id}`);
    if ('order' in step) {
      await service.order(step.order);
      continue;
    }
    const recording = await send(service.url, step, kept);
    keep(step, recording, run);
    if (!step.isUnrecorded)
      recordings.set(id, maskChanging(step.isBodyLeftOut ? withoutBody(recording) : recording));
  }
  return recordings;
}

function withoutBody({ status, headers: { 'content-length': _length, ...headers } }: Recording): Recording {
  return { status, headers, body: '' };
}

async function send(url: string, step: RequestStep, kept: ReadonlyMap<string, string>): Promise<Recording> {
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => kept.get(name) ?? 'missing');
  const { body } = step;
  const target = filled(step.target);
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    filled(value),
  ]);
  const isSentAsIs = typeof body === 'string' || body instanceof Uint8Array;
  const content =
    typeof body === 'string' ? filled(body) : isSentAsIs ? body : filled(JSON.stringify(body ?? ''));
  try {
    return await sendRequest({
      method: step.method ?? 'GET',
      url: /^https?:/.test(target) ? target : url + target,
      headers: {
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(content)) }),
        ...(body !== undefined && !isSentAsIs && { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers),
      },
      ...(body !== undefined && { body: content }),
    });
  } catch (error) {
    throw new Error(`${step.id} got no response`, { cause: error });
  }
}

function keep(step: RequestStep, { headers, body }: Recording, { kept, onMissing }: Run): void {
  for (const [name, place] of Object.entries(step.keep ?? {})) {
    const value = place.startsWith('/') ? valueAt(body, place) : headers[place];
    if (typeof value !== 'string') onMissing(`${step.id}: the response has no ${place}`);
    kept.set(name, typeof value === 'string' ? value : 'missing');
  }
}

function valueAt(body: string, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce(
      (part, name) => (part as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      jsonOf(body),
    );
}
