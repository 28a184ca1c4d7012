import { PLATFORM_ONLY, signatureNote } from '@cairn/shared/path/mirror-list';
import { PREFERENCES } from '@cairn/shared/path/values';
import { labelledChannel } from '@cairn/shared/releases/channel';
import type { Block } from '@cairn/shared/text/blocks';
import { countInWords } from '@cairn/shared/text/words';
import type { UpgradePathAnswer } from '../../paths/schema.ts';
import { badInput, EXIT } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';
import type { Command } from '../host.ts';
import { IMAGE_SET_FLAGS, printImageSets, refuseUnusedFlags } from '../image-set-folder.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { archOfFlag, channelsBetween, openService } from '../service/open-service.ts';
import { accepted, jsonOf } from '../service/service.ts';
import { QUESTION_FLAGS, SOURCE_FLAGS } from './common-flags.ts';

export type PathAnswer = Output<typeof UpgradePathAnswer>;
type Found = Extract<PathAnswer, { readonly found: true }>;
type NotFound = Extract<PathAnswer, { readonly found: false }>;
type Step = Found['path'][number];

const OWN_FLAGS = {
  prefer: {
    kind: 'text',
    values: PREFERENCES,
    help: 'fewest hops with risks first, or fewest hops (safest)',
  },
  prerelease: { kind: 'switch', help: 'steps may be pre-releases' },
  alternatives: { kind: 'text', value: 'NUMBER', help: 'how many more paths to list, up to 3 (0)' },
  'include-source': { kind: 'switch', help: 'mirror the present release as well' },
  ...IMAGE_SET_FLAGS,
  output: outputFlag(['text', 'json', 'yaml', 'markdown', 'imageset', 'images']),
} as const satisfies Command['flags'];

const PARAMETERS = [
  ...Object.keys(QUESTION_FLAGS),
  'prefer',
  'prerelease',
  'alternatives',
  'include-source',
  'file',
];
export const paths: Command = {
  name: 'paths',
  summary: 'the upgrade path from one version to another, and what to mirror for it',
  arguments: 'FROM [TO]',
  most: 2,
  about:
    'Finds the upgrade path from one version to another, or explains why there is none and lists other paths. TO is a version, a minor such as 4.16, or latest, the newest of the channel (latest). It exits with 2 when there is no path.',
  flags: { ...OWN_FLAGS, ...QUESTION_FLAGS, ...SOURCE_FLAGS },
  examples: [
    'cairn paths 4.14.20 4.16 --url https://cairn.example.com',
    'cairn paths 4.14.20 4.16.8 --upstream https://api.openshift.com/api/upgrades_info/v1/graph',
    'cairn paths 4.14.20 4.16.8 --graph graphs.json.gz -o imageset --dir imagesets',
  ],
  async run(args, host) {
    refuseUnusedFlags(args);
    const [from, to] = args.arguments;
    if (from === undefined) throw badInput('FROM is needed: the version of the cluster, such as 4.14.20');
    const service = await openService(args, host, () => {
      const named = args.list('channel');
      return { channels: named.length > 0 ? named : channelsBetween(from, to), arch: archOfFlag(args) };
    });
    const query = args.query(PARAMETERS);
    query.set('from', from);
    if (to !== undefined) query.set('to', to);
    const format = formatOf(args);
    const ask = async (asked: string) => {
      query.set('format', asked);
      return accepted(await service.ask({ method: 'GET', path: '/v1/upgrade-paths', query }));
    };
    if (format === 'imageset') {
      await printImageSets(args, host, await ask('imageset'), async () => jsonOf(await ask('json')));
      return EXIT.ready;
    }
    const answer = await ask(format === 'images' ? 'text' : 'json');
    if (format === 'images') {
      host.out.write(answer.body);
      const note = answer.headers['cairn-note'];
      if (note !== undefined) host.err.write(`${note}.\n`);
      return EXIT.ready;
    }
    const found = jsonOf(answer) as PathAnswer;
    printAnswer(answer.body, format, host, () => pathDocument(found));
    return found.found ? EXIT.ready : EXIT.blocked;
  },
};

function pathDocument(answer: PathAnswer): readonly Block[] {
  return [
    ...(answer.found ? foundBlocks(answer) : notFoundBlocks(answer)),
    ...(answer.warnings.length > 0
      ? [{ kind: 'list' as const, items: answer.warnings.map(({ message }) => `Warning: ${message}`) }]
      : []),
  ];
}

function foundBlocks(answer: Found): Block[] {
  const { from, to, arch, stats, path, mirror } = answer;
  const signatures = signatureNote(mirror);
  if (path.length === 1) return [{ kind: 'title', text: `The cluster already runs ${from}` }];
  const risky = stats.riskyHops > 0 ? `, ${countInWords(stats.riskyHops, 'hop')} with risks` : '';
  return [
    { kind: 'title', text: `${from} to ${to} on ${arch}: ${countInWords(stats.hops, 'hop')}${risky}` },
    hopTable(path),
    ...channelBlocks(answer),
    ...riskBlocks(path),
    { kind: 'heading', text: 'To mirror' },
    {
      kind: 'table',
      header: ['Version', 'Image'],
      rows: mirror.map(({ version, payload }) => [version, payload]),
    },
    { kind: 'list', items: [...PLATFORM_ONLY.notes, ...(signatures === null ? [] : [signatures])] },
  ];
}

function hopTable(path: readonly Step[]): Block {
  return {
    kind: 'table',
    header: ['Hop', 'From', 'To', 'Channels', 'Risks'],
    rows: path.slice(1).map((step, at) => [
      String(at + 1),
      path[at]!.version,
      step.version,
      step.hop?.channels.join(', ') ?? '',
      risksOf(step)
        .map(({ name }) => name)
        .join(', ') || 'none',
    ]),
  };
}

function channelBlocks({ channelPlan }: Found): Block[] {
  const items = channelPlan.map(
    ({ channel, untilVersion }) => `${labelledChannel(channel)} until ${untilVersion}`,
  );
  return items.length > 0
    ? [
        { kind: 'heading', text: 'Channels' },
        { kind: 'list', items },
      ]
    : [];
}

function riskBlocks(path: readonly Step[]): Block[] {
  const risks = new Map(path.flatMap(risksOf).map((risk) => [risk.name, risk]));
  if (risks.size === 0) return [];
  return [
    { kind: 'heading', text: 'Risks' },
    {
      kind: 'list',
      items: [...risks.values()].map(({ name, message, url }) => `${name}: ${message} ${url}`),
    },
  ];
}

function risksOf({ hop }: Step): NonNullable<Step['hop']>['risks'] {
  return hop?.risks ?? [];
}

function notFoundBlocks({ from, to, arch, explanation }: NotFound): Block[] {
  const { code, message, suggestion, nearestTarget, alternatives } = explanation;
  const near = [nearestTarget.below, nearestTarget.above].filter((version) => version !== null);
  return [
    { kind: 'title', text: `No path from ${from} to ${to ?? 'the target'} on ${arch}` },
    { kind: 'paragraph', text: `${message} (${code})` },
    ...(suggestion === null ? [] : [{ kind: 'paragraph' as const, text: suggestion }]),
    ...(near.length > 0
      ? [{ kind: 'paragraph' as const, text: `Nearest reachable versions: ${near.join(', ')}` }]
      : []),
    ...(alternatives.length > 0 ? [{ kind: 'heading' as const, text: 'Other paths' }] : []),
    ...(alternatives.length > 0 ? [alternativeTable(alternatives)] : []),
  ];
}

function alternativeTable(alternatives: NotFound['explanation']['alternatives']): Block {
  return {
    kind: 'table',
    header: ['To', 'Channels', 'Hops', 'With risks', 'Path'],
    rows: alternatives.map(({ to, channels, hops, riskyHops, path }) => [
      to,
      channels.map(labelledChannel).join(', '),
      String(hops),
      String(riskyHops),
      path.join(' '),
    ]),
  };
}
