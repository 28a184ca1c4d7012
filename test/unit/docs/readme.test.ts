import { readFileSync } from 'node:fs';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { parseChannel } from '@cairn/shared/releases/channel';
import { describe, expect, it } from 'vitest';
import { offlineService } from '../../../functions/cli/service/offline-service.ts';
import type { KnownGraph } from '../../../functions/cli/service/saved-graphs.ts';
import { DEMO_CHANNELS } from '../../../infra/local/demo/channels.ts';
import { demoGraph } from '../../../infra/local/demo/graph.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('README.md', root), 'utf8');
const cluster = readFileSync(new URL('docs/examples/cluster.json', root));

const AT = '2026-11-18T12:00:00.000Z';

/** The demo channels, as `npm start` follows them without a network. */
const graphs = DEMO_CHANNELS.flatMap((channel): KnownGraph[] => {
  if (parseChannel(channel) === null) return [];
  const parsed = normalizeGraph(demoGraph(channel, 'amd64'), { arch: 'amd64' });
  if (!parsed.ok) throw new Error(parsed.detail);
  const none = { withdrawn: [], excluded: [] };
  return [{ channel, arch: 'amd64', graph: parsed.graph, syncedAt: AT, publishedAt: AT, ...none }];
});
const service = offlineService({ graphs, support: null }, () => Date.parse(AT));

/** The output that the page shows below a command with this text. */
function shownFor(command: string): string {
  const blocks = [...page.matchAll(/```console\n([^]*?)```/g)].map(([, block]) => block!);
  const block = blocks.find((each) => each.includes(command));
  expect(block, command).toBeDefined();
  return block!.split('\n').slice(1).join('\n');
}

async function ask(target: string, body?: Buffer): Promise<string> {
  const [path = '', search] = target.split('?');
  const answer = await service.ask({
    method: body === undefined ? 'GET' : 'POST',
    path,
    query: new URLSearchParams(search),
    ...(body !== undefined && { body }),
  });
  expect(answer.status).toBe(200);
  return Buffer.from(answer.body).toString();
}

/** As `jq -c` prints some values. */
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('README.md', () => {
  it('shows parts of the plan of its example, in their order', async () => {
    const target = '/v1/upgrade-plans?target=4.16&strategy=control-plane-only&format=text';
    const text = await ask(target, cluster);
    const parts = shownFor(target)
      .split(/^…\n/m)
      .filter((part) => part !== '');
    expect(parts.length).toBeGreaterThan(3);
    let end = 0;
    for (const part of parts) {
      const start = text.indexOf(part, end);
      expect(start >= 0 ? part : text.slice(end)).toBe(part);
      end = start + part.length;
    }
  });

  it('shows the figures and images of the plan of its example', async () => {
    const target = '/v1/upgrade-plans?target=4.16';
    const { verdict, duration, mirror } = JSON.parse(await ask(target, cluster)) as {
      readonly verdict: string;
      readonly duration: { readonly total: object };
      readonly mirror: readonly { readonly version: string; readonly digest: string }[];
    };
    const images = mirror.map(({ version, digest }) => ({ version, digest }));
    expect(shownFor(`'http://127.0.0.1:8080${target}'`)).toBe(lines(verdict, duration.total, ...images));
  });

  it('shows the path of its example', async () => {
    const target = '/v1/upgrade-paths?from=4.12.30&to=4.16';
    const { path, channelPlan } = JSON.parse(await ask(target)) as {
      readonly path: readonly { readonly version: string }[];
      readonly channelPlan: readonly object[];
    };
    expect(shownFor(target)).toBe(lines({ path: path.map(({ version }) => version), channelPlan }));
  });

  it('shows why there is no path in its example', async () => {
    const target = '/v1/upgrade-paths?from=4.14.20&channel=stable-4.18';
    const { explanation } = JSON.parse(await ask(target)) as {
      readonly explanation: { readonly message: string; readonly suggestion: string };
    };
    expect(shownFor(target)).toBe(`${explanation.message}\n${explanation.suggestion}\n`);
  });
});
