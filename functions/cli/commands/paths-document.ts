import { PLATFORM_ONLY } from '@cairn/shared/path/mirror-list';
import type { Block } from '@cairn/shared/text/blocks';
import { countInWords } from '@cairn/shared/text/words';
import type { Output } from '../../runtime/lazy.ts';
import type { UpgradePathAnswer } from '../../paths/schema.ts';

export type PathAnswer = Output<typeof UpgradePathAnswer>;
type Found = Extract<PathAnswer, { readonly found: true }>;
type NotFound = Extract<PathAnswer, { readonly found: false }>;
type Step = Found['path'][number];

/** What an answer about a way says to people. */
export function pathDocument(answer: PathAnswer): readonly Block[] {
  return [
    ...(answer.found ? foundBlocks(answer) : notFoundBlocks(answer)),
    ...(answer.warnings.length > 0
      ? [{ kind: 'list' as const, items: answer.warnings.map(({ message }) => `Warning: ${message}`) }]
      : []),
  ];
}

function foundBlocks(answer: Found): Block[] {
  const { from, to, arch, stats, path, mirror } = answer;
  if (path.length === 1) return [{ kind: 'title', text: `${from} is there already` }];
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
    { kind: 'list', items: PLATFORM_ONLY.notes },
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
  const items = channelPlan.map(({ channel, untilVersion }) => `${channel} until ${untilVersion}`);
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
    { kind: 'title', text: `No way from ${from} to ${to ?? 'there'} on ${arch}` },
    { kind: 'paragraph', text: `${message} (${code})` },
    ...(suggestion === null ? [] : [{ kind: 'paragraph' as const, text: suggestion }]),
    ...(near.length > 0
      ? [{ kind: 'paragraph' as const, text: `Next to it, and reached: ${near.join(', ')}` }]
      : []),
    ...(alternatives.length > 0 ? [{ kind: 'heading' as const, text: 'Ways that there are' }] : []),
    ...(alternatives.length > 0 ? [alternativeTable(alternatives)] : []),
  ];
}

function alternativeTable(alternatives: NotFound['explanation']['alternatives']): Block {
  return {
    kind: 'table',
    header: ['To', 'Channels', 'Hops', 'With risks', 'Way'],
    rows: alternatives.map(({ to, channels, hops, riskyHops, path }) => [
      to,
      channels.join(', '),
      String(hops),
      String(riskyHops),
      path.join(' '),
    ]),
  };
}
