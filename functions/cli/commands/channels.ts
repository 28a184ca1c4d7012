import { normalizeGraph } from '@cairn/shared/graph/normalize';
import type { SupportSettings } from '@cairn/shared/releases/lifecycle';
import type { Block } from '@cairn/shared/text/blocks';
import { countInWords } from '@cairn/shared/text/words';
import { type Arch, ARCHES } from '@cairn/shared/version/arch';
import type { ChannelDetail, ChannelPage } from '../../channels/schema.ts';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { EXIT, badInput, notKnown } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';
import type { Command, Host } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { archOfFlag, openGraphs, openService } from '../service/open-service.ts';
import { type KnownGraph, type SavedReleases, saveGraphs } from '../service/saved-graphs.ts';
import { accepted, jsonOf, requestEach, type Service } from '../service/service.ts';
import { SOURCE_FLAGS, QUESTION_FLAGS } from './common-flags.ts';

type Detail = Output<typeof ChannelDetail>;
type Listed = Output<typeof ChannelPage>['channels'][number];

const PAGE = '1000';

export const channels: Command = {
  name: 'channels',
  summary: 'which channels there are; --save keeps their graphs for work offline',
  arguments: '[CHANNEL…]',
  most: Infinity,
  about:
    'Lists the channels, or tells more of those that are named. With --save their graphs are written to a file, which --graph of every command reads: a disconnected admin carries it over and needs no server.',
  flags: {
    save: { kind: 'text', value: 'FILE', help: 'write the graphs to this file, such as graphs.json.gz' },
    minor: { kind: 'text', value: 'MINOR', help: 'only those of this minor, such as 4.16' },
    arch: { ...QUESTION_FLAGS.arch, help: 'only on this architecture' },
    output: outputFlag(['text', 'json', 'yaml', 'markdown']),
    ...SOURCE_FLAGS,
  },
  examples: [
    'cairn channels --minor 4.16 --url https://cairn.example.com',
    'cairn channels --save graphs.json.gz --url https://cairn.example.com',
    'cairn channels stable-4.15 eus-4.16 --save graphs.json.gz --upstream https://api.openshift.com/api/upgrades_info/v1/graph',
  ],
  async run(args, host) {
    const named = args.arguments;
    const wanted = () => {
      if (named.length === 0)
        throw badInput('an update service is asked by channel: name them, such as stable-4.16');
      return { channels: named, arch: archOfFlag(args) };
    };
    const file = args.text('save');
    if (file !== undefined) return save(file, args, host, wanted);
    const service = await openService(args, host, wanted);
    const format = formatOf(args);
    const isOne = named.length === 1;
    const arch = args.text('arch') === undefined ? 'amd64' : archOfFlag(args);
    if (isOne) {
      const answer = accepted(await service.ask({ method: 'GET', path: channelPath(named[0]!, arch) }));
      const detail = jsonOf(answer) as Detail;
      printAnswer(answer.body, format, host, () => detailDocument(detail));
    } else {
      const listed = await listAll(service, args);
      const found = listed.filter(({ channel }) => named.length === 0 || named.includes(channel));
      const json = Buffer.from(JSON.stringify({ channels: found }));
      printAnswer(json, format, host, () => listDocument(found));
    }
    return EXIT.ready;
  },
};

function channelPath(channel: string, arch: Arch): string {
  return `/v1/channels/${encodeURIComponent(channel)}/${arch}`;
}

async function listAll(service: Service, args: ParsedArgs): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  const query = args.query(['minor', 'arch']);
  query.set('limit', PAGE);
  for (;;) {
    const answer = accepted(await service.ask({ method: 'GET', path: '/v1/channels', query }));
    const page = jsonOf(answer) as Output<typeof ChannelPage>;
    listed.push(...page.channels);
    if (page.nextCursor === null) return listed;
    query.set('cursor', page.nextCursor);
  }
}

async function save(
  file: string,
  args: ParsedArgs,
  host: Host,
  wanted: () => { readonly channels: readonly string[]; readonly arch: Arch },
): Promise<number> {
  const local = await openGraphs(args, host, wanted);
  const releases = local ?? (await fetchServed(await openService(args, host, wanted), args, host));
  const { graphs } = releases;
  if (graphs.length === 0) throw badInput('there is no such channel, nothing was written');
  const bytes = saveGraphs(releases);
  await host.writeFile(file, bytes);
  host.out.write(`${file}: ${countInWords(graphs.length, 'graph')}, ${bytes.length} bytes\n`);
  return EXIT.ready;
}

async function fetchServed(service: Service, args: ParsedArgs, host: Host): Promise<SavedReleases> {
  const listed = (await listAll(service, args)).filter(
    ({ channel, publishedAt }) =>
      publishedAt !== null && (args.arguments.length === 0 || args.arguments.includes(channel)),
  );
  let done = 0;
  const showProgress = () => {
    if (host.err.isTerminal) host.err.write(`\r${++done} of ${listed.length} graphs`);
    if (host.err.isTerminal && done === listed.length) host.err.write('\n');
  };
  const graphs = await requestEach(listed, async ({ channel, arch }) => {
    const graph = await fetchOne(service, channel, arch);
    showProgress();
    return graph;
  });
  return { graphs, support: await fetchSupport(service) };
}

/** Earlier releases of the service do not send their settings. */
async function fetchSupport(service: Service): Promise<SavedReleases['support']> {
  const answer = await service.ask({ method: 'GET', path: '/v1/support' });
  if (answer.status === 404) return null;
  const { eusTerms, dates } = jsonOf(accepted(answer)) as Partial<SupportSettings>;
  return eusTerms === undefined || dates === undefined ? null : { eusTerms, dates };
}

async function fetchOne(service: Service, channel: string, arch: Arch): Promise<KnownGraph> {
  const detail = jsonOf(
    accepted(await service.ask({ method: 'GET', path: channelPath(channel, arch) })),
  ) as Detail;
  const query = new URLSearchParams({ channel, arch });
  const headers = { accept: 'application/json' };
  const answer = accepted(
    await service.ask({ method: 'GET', path: '/api/upgrades_info/v1/graph', query, headers }),
  );
  const parsed = normalizeGraph(jsonOf(answer), { arch });
  if (!parsed.ok) throw notKnown(`the graph of ${channel} on ${arch} can't be read: ${parsed.detail}`);
  return {
    channel,
    arch,
    graph: parsed.graph,
    syncedAt: detail.freshness.lastSuccessAt ?? detail.publishedAt!,
    publishedAt: detail.publishedAt!,
    withdrawn: detail.withdrawn,
    // Earlier releases of the service do not send it.
    excluded: (detail as Partial<Detail>).excluded ?? [],
  };
}

function listDocument(listed: readonly Listed[]): readonly Block[] {
  if (listed.length === 0) return [{ kind: 'paragraph', text: 'There is no such channel.' }];
  const names = [...new Set(listed.map(({ channel }) => channel))];
  const rows = names.map((name) => {
    const same = listed.filter(({ channel }) => channel === name);
    const [first] = same;
    const arches = ARCHES.filter((arch) => same.some((other) => other.arch === arch));
    return [
      name,
      first!.newest ?? '',
      String(first!.nodes),
      first!.publishedAt ?? 'never',
      arches.join(', '),
    ];
  });
  return [{ kind: 'table', header: ['Channel', 'Newest', 'Versions', 'Changed', 'Architectures'], rows }];
}

function detailDocument(detail: Detail): readonly Block[] {
  const { channel, arch, nodes, edges, newestPerMinor, freshness, withdrawn, risks } = detail;
  return [
    { kind: 'title', text: `${channel} on ${arch}` },
    {
      kind: 'list',
      items: [
        `${countInWords(nodes, 'version')}, ${countInWords(edges.plain, 'update')}, ${edges.conditional} with risks`,
        `Changed: ${detail.publishedAt ?? 'never'}`,
        `Last answer of the update service: ${freshness.lastSuccessAt ?? 'none'}${freshness.stale ? ', which is old' : ''}`,
        ...(freshness.held ? [`Held back since ${freshness.held.since}: ${freshness.held.detail}`] : []),
        ...(withdrawn.length > 0 ? [`Withdrawn: ${withdrawn.join(', ')}`] : []),
      ],
    },
    {
      kind: 'table',
      header: ['Minor', 'Newest'],
      rows: newestPerMinor.map(({ minor, version }) => [minor, version]),
    },
    ...(risks.length === 0
      ? []
      : [
          { kind: 'heading' as const, text: 'Risks' },
          {
            kind: 'table' as const,
            header: ['Risk', 'Updates', 'Read'],
            rows: risks.map(({ name, edges: count, url }) => [name, String(count), url]),
          },
        ]),
  ];
}
