import type { Command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { badInput } from '../failure.ts';
import { formatOf, outputFlag, printDocument, printJson, printYaml } from '../output.ts';
import { channelsBetween } from '../service/channels-between.ts';
import { archOfFlag, openService } from '../service/open-service.ts';
import { accepted, jsonOf } from '../service/refusal.ts';
import { SOURCE_FLAGS } from './source-flags.ts';
import { type PathAnswer, pathDocument } from './paths-document.ts';
import { QUESTION_FLAGS } from './common-flags.ts';
import { PREFERENCES } from '@cairn/shared/path/values';

const OWN_FLAGS = {
  prefer: {
    kind: 'text',
    values: PREFERENCES,
    help: 'fewest hops with risks first, or fewest hops (safest)',
  },
  prerelease: { kind: 'switch', help: 'steps may be pre-releases' },
  alternatives: { kind: 'text', value: 'NUMBER', help: 'so many further ways, up to 3 (0)' },
  'include-source': { kind: 'switch', help: 'mirror the present release as well' },
  file: {
    kind: 'text',
    value: 'NUMBER',
    help: 'with -o imageset: only this file, when the releases do not fit into one',
  },
  output: outputFlag(['text', 'json', 'yaml', 'markdown', 'imageset', 'images']),
} as const satisfies Command['flags'];

/** Those that are parameters of the question. */
const PARAMETERS = [
  ...Object.keys(QUESTION_FLAGS),
  'prefer',
  'prerelease',
  'alternatives',
  'include-source',
  'file',
];
/** What the interface calls them. */
const FILES = { imageset: 'imageset', images: 'text' } as const;

export const paths: Command = {
  name: 'paths',
  summary: 'the way from one version to another, and what to mirror for it',
  arguments: 'FROM [TO]',
  most: 2,
  about:
    'Tells the way from a version to another one, or why there is none and where there is one. TO is a version, a minor such as 4.16, or latest, the newest of the channel (latest). It exits with 2 when there is no way.',
  flags: { ...OWN_FLAGS, ...QUESTION_FLAGS, ...SOURCE_FLAGS },
  examples: [
    'cairn paths 4.14.20 4.16 --url https://cairn.example.com',
    'cairn paths 4.14.20 4.16.8 --upstream https://api.openshift.com/api/upgrades_info/v1/graph',
    'cairn paths 4.14.20 4.16.8 --graph graphs.json.gz -o imageset > imageset.yaml',
  ],
  async run(given, machine) {
    const [from, to] = given.arguments;
    if (from === undefined) throw badInput('FROM is needed: the version of the cluster, such as 4.14.20');
    const service = await openService(given, machine, () => {
      const named = given.list('channel');
      return { channels: named.length > 0 ? named : channelsBetween(from, to), arch: archOfFlag(given) };
    });
    const query = given.query(PARAMETERS);
    query.set('from', from);
    if (to !== undefined) query.set('to', to);
    const format = formatOf(given);
    if (format === 'imageset' || format === 'images') query.set('format', FILES[format]);
    const answer = accepted(await service.ask({ method: 'GET', path: '/v1/upgrade-paths', query }));
    if (format === 'imageset' || format === 'images') {
      machine.out.write(answer.body);
      return EXIT.ready;
    }
    const found = jsonOf(answer) as PathAnswer;
    if (format === 'json') printJson(answer.body, machine);
    else if (format === 'yaml') printYaml(answer.body, machine);
    else printDocument(pathDocument(found), format, machine);
    return found.found ? EXIT.ready : EXIT.blocked;
  },
};
