import type { Block } from '@cairn/shared/text/blocks';
import { parseVersion } from '@cairn/shared/version/release-version';
import { EXIT } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';
import type { OpenshiftVersions, VersionDetail } from '../../versions/schema.ts';
import type { Command } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { archOfFlag, channelsBetween, openService } from '../service/open-service.ts';
import { accepted, jsonOf } from '../service/service.ts';
import { QUESTION_FLAGS, SOURCE_FLAGS } from './common-flags.ts';

type Detail = Output<typeof VersionDetail>;
type Listed = Output<typeof OpenshiftVersions>;

const { channel, arch } = QUESTION_FLAGS;

export const versions: Command = {
  name: 'versions',
  summary: 'which versions can be installed; where one is, and its updates',
  arguments: '[PATTERN]',
  most: 1,
  about:
    'Lists the versions that can be installed, newest first: those of PATTERN by its components, such as 4.16 or 4.16.0-rc. A whole version such as 4.16.8 tells its channels, images and updates.',
  flags: {
    'only-latest': { kind: 'switch', help: 'only the newest of each minor and architecture' },
    'exclude-withdrawn': { kind: 'switch', help: 'without those that the update service lists no more' },
    channel: { ...channel, help: 'of a whole version: the updates in this channel' },
    arch,
    output: outputFlag(['text', 'json', 'yaml', 'markdown']),
    ...SOURCE_FLAGS,
  },
  examples: [
    'cairn versions --only-latest --url https://cairn.example.com',
    'cairn versions 4.16.8 --graph graphs.json.gz',
  ],
  async run(args, host) {
    const [pattern] = args.arguments;
    const service = await openService(args, host, () => {
      const named = args.list('channel');
      const ofPattern = channelsBetween(pattern?.replace(/^(\d+\.\d+)$/, '$1.0') ?? '', undefined);
      return { channels: named.length > 0 ? named : ofPattern, arch: archOfFlag(args) };
    });
    const isWhole = pattern !== undefined && parseVersion(pattern) !== null;
    const answer = accepted(
      await service.ask(
        isWhole
          ? { method: 'GET', path: `/v1/versions/${pattern}`, query: args.query(['channel', 'arch']) }
          : { method: 'GET', path: '/v2/openshift-versions', query: listQuery(pattern) },
      ),
    );
    printAnswer(answer.body, formatOf(args), host, () => {
      const content = jsonOf(answer);
      return isWhole ? detailDocument(content as Detail) : listDocument(content as Listed);
    });
    return EXIT.ready;

    function listQuery(version: string | undefined): URLSearchParams {
      const query = args.query(['only-latest', 'exclude-withdrawn']);
      if (version !== undefined) query.set('version_pattern', version);
      return query;
    }
  },
};

function listDocument(listed: Listed): readonly Block[] {
  const rows = Object.entries(listed).map(
    ([version, { support_level, cpu_architectures, default: isDefault }]) => [
      version,
      support_level,
      cpu_architectures.join(', '),
      isDefault ? 'default' : '',
    ],
  );
  if (rows.length === 0) return [{ kind: 'paragraph', text: 'No version matches.' }];
  return [{ kind: 'table', header: ['Version', 'Support', 'Architectures', ''], rows }];
}

function detailDocument(detail: Detail): readonly Block[] {
  const { version, withdrawn, excluded, errata, releases, updates } = detail;
  const listed = (heading: string, found: typeof updates.to): Block[] => [
    { kind: 'heading', text: heading },
    found.length === 0
      ? { kind: 'paragraph', text: 'None.' }
      : {
          kind: 'table',
          header: ['Version', 'Risks'],
          rows: found.map((update) => [update.version, update.risks.join(', ') || 'none']),
        },
  ];
  return [
    { kind: 'title', text: `${version}${withdrawn ? ', withdrawn' : ''}${excluded ? ', excluded' : ''}` },
    ...(errata === null ? [] : [{ kind: 'paragraph' as const, text: errata }]),
    {
      kind: 'table',
      header: ['Architecture', 'Channels', 'Image'],
      rows: releases.map((release) => [release.arch, release.channels.join(', '), release.payload]),
    },
    ...listed(`Updates to it in ${updates.channel} on ${updates.arch}`, updates.from),
    ...listed('Updates from it', updates.to),
  ];
}
