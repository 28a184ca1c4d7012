import { readFileSync } from 'node:fs';
import { normalizeGraph } from '@cairn/shared/graph/normalize';
import { describe, expect, it } from 'vitest';
import { saveGraphs } from '../../../functions/cli/service/saved-graphs.ts';
import { demoGraph } from '../../../infra/local/demo/graph.ts';
import { runCli } from '../../helpers/cli/cli.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/explanation/risks.md', root), 'utf8');
const AT = '2026-11-18T12:00:00.000Z';

function savedGraphs(): Uint8Array {
  const channel = 'stable-4.14';
  const parsed = normalizeGraph(demoGraph(channel, 'amd64'), { arch: 'amd64' });
  if (!parsed.ok) throw new Error(parsed.detail);
  const times = { syncedAt: AT, publishedAt: AT, withdrawn: [], excluded: [] };
  return saveGraphs({ graphs: [{ channel, arch: 'amd64', graph: parsed.graph, ...times }], support: null });
}

const EXAMPLES = ['docs/examples/cluster.json', 'docs/examples/infrastructure.json'];
const files = {
  'graphs.json.gz': savedGraphs(),
  ...Object.fromEntries(EXAMPLES.map((path) => [path, readFileSync(new URL(path, root))])),
};

describe('docs/explanation/risks.md', () => {
  const blocks = [...page.matchAll(/```console\n\$ cairn (.*)\n([^]*?)```/g)];

  it.each(blocks.map(([, command, output]) => [command!, output!]))(
    'shows what %s prints',
    async (command, output) => {
      const { out } = await runCli(command.split(' '), { files, clock: () => Date.parse(AT) });
      const [shown] = output.trimEnd().split('…');
      expect(out.replaceAll('\r\n', '\n').slice(0, shown!.length)).toBe(shown);
    },
  );

  it('has two examples', () => {
    expect(blocks).toHaveLength(2);
  });
});
