import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ParsedArgs } from '../../../functions/command-line/parse.ts';
import { runScript, type Script } from '../../../functions/command-line/script.ts';
import { RECORDED_SCENARIO, SCENARIOS } from '../../fixtures/golden/requests.ts';
import { isRecordedDataPresent, RECORDED_UPSTREAM } from '../upstream/recorded-data.ts';
import { COMMAND_IDS, runCommands } from './commands.ts';
import { compareGroup, linesOf } from './compare.ts';
import { requestsOf, uncoveredOperations } from './coverage.ts';
import { maskTexts } from './masks.ts';
import {
  readRecordings,
  recordedGroups,
  type Recordings,
  removeRecordings,
  writeRecordings,
} from './recordings.ts';
import { runScenario } from './run-scenario.ts';
import type { Scenario } from './steps.ts';

/** Groups that run together. */
interface Part {
  readonly groups: readonly string[];
  /** `group/id` of each recording. */
  readonly ids: readonly string[];
  /** Reason for skipping the part; null if it can run. */
  readonly obstacle: string | null;
  readonly run: (onMissing: (what: string) => void) => Promise<ReadonlyMap<string, Recordings>>;
}

const partOf = (scenario: Scenario, obstacle: string | null = null): Part => ({
  groups: scenario.groups.map(({ name }) => name),
  ids: requestsOf(scenario).map(({ group, step }) => `${group}/${step.id}`),
  obstacle,
  run: (onMissing) => runScenario(scenario, onMissing),
});

/** Each has a settings file of its name, except the default. */
const TEMPLATES = ['default', 'everything', 'own-domain', 'minimal'];

const PARTS: readonly Part[] = [
  ...SCENARIOS.map((scenario) => partOf(scenario)),
  partOf(RECORDED_SCENARIO, isRecordedDataPresent ? null : `there is no ${RECORDED_UPSTREAM}`),
  {
    groups: ['command'],
    ids: COMMAND_IDS.map((id) => `command/${id}`),
    obstacle: null,
    run: async () => new Map([['command', await runCommands()]]),
  },
  {
    groups: ['template'],
    ids: TEMPLATES.map((name) => `template/${name}`),
    obstacle: null,
    // Imported on demand: the CDK takes longer than all requests of a group.
    run: async () => new Map([['template', (await import('./templates.ts')).synthesizeTemplates(TEMPLATES)]]),
  },
];

const GOLDEN: Script = {
  name: 'golden',
  about: 'Records the responses, templates and command outputs of Cairn, and compares them.',
  usage: 'npm run golden -- --record | --compare [flags]',
  margin: 15,
  flags: {
    record: { kind: 'switch', help: 'store what this code returns in test/fixtures/golden/recordings' },
    compare: { kind: 'switch', help: 'compare what this code returns with the recordings' },
    mask: {
      kind: 'text',
      value: 'text',
      help: 'compare without texts for people: fields such as title and detail at any depth, and the content of plain text, Markdown and HTML',
    },
    only: {
      kind: 'text',
      help: 'only requests with TEXT in "group/id"; with --record all requests of their groups',
    },
    show: { kind: 'text', value: 'ID', help: 'print the recordings of requests with ID in "group/id"' },
  },
  notes: `Groups of templates and commands are "template" and "command". The group
"recorded" needs the recorded graphs in ../shared/data. A comparison exits
with 1 on any difference, on a request without recording, on a recording
without request, and if an operation of the interface has no request.`,
  conflicts(given) {
    const [isRecord, mask] = [given.isSet('record'), given.text('mask')];
    const modes = [isRecord, given.isSet('compare'), given.text('show') !== undefined];
    return [
      ...(modes.filter(Boolean).length === 1 ? [] : ['one of --record, --compare and --show is required']),
      ...(mask === undefined || mask === 'text' ? [] : [`--mask "${mask}" is not accepted, text is`]),
      ...(mask !== undefined && isRecord ? ['--mask is for --compare only'] : []),
    ];
  },
};

async function runGolden(given: ParsedArgs): Promise<number> {
  const shown = given.text('show');
  if (shown !== undefined) return show(shown);
  const only = given.text('only') ?? '';
  const ids = PARTS.flatMap((part) => part.ids);
  const faults = [
    ...uncoveredOperations(SCENARIOS).map((operation) => `operation ${operation} has no request`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `two requests are ${id}`),
  ];
  if (faults.length > 0) {
    process.stderr.write(faults.map((fault) => `golden: ${fault}\n`).join(''));
    return 1;
  }
  const chosen = PARTS.filter((part) => part.ids.some((id) => id.includes(only)));
  if (chosen.length === 0) {
    process.stderr.write(`golden: no request has "${only}" in its group and id\n`);
    return 1;
  }
  if (given.isSet('record')) return record(only, chosen);
  return compare(only, chosen, given.text('mask') !== undefined);
}

async function record(only: string, parts: readonly Part[]): Promise<number> {
  const missing: string[] = [];
  for await (const { group, recordings } of run(parts, missing)) {
    if (![...recordings.keys()].some((id) => `${group}/${id}`.includes(only))) continue;
    writeRecordings(group, recordings);
    process.stdout.write(`${group}: ${recordings.size} recorded\n`);
  }
  for (const group of strayGroups()) removeRecordings(group);
  process.stderr.write(missing.map((what) => `golden: ${what}\n`).join(''));
  return missing.length === 0 ? 0 : 1;
}

async function compare(only: string, parts: readonly Part[], masksTexts: boolean): Promise<number> {
  let compared = 0;
  const findings =
    only === '' ? strayGroups().map((group) => `${group}\n  recorded, but there is no such group`) : [];
  const missing: string[] = [];
  for await (const { group, recordings } of run(parts, missing)) {
    const isChosen = ([id]: readonly [string, unknown]) => `${group}/${id}`.includes(only);
    const current = new Map([...recordings].filter(isChosen));
    const recorded = new Map([...readRecordings(group)].filter(isChosen));
    const found = compareGroup(group, recorded, current, masksTexts ? maskTexts : (recording) => recording);
    compared += current.size;
    if (current.size > 0)
      process.stdout.write(`${group}: ${current.size} compared, ${found.length} differ\n`);
    findings.push(...found);
  }
  if (findings.length > 0) findings.push(...missing);
  process.stdout.write(findings.map((finding) => `\n${finding}\n`).join(''));
  process.stdout.write(`\n${compared} compared, ${findings.length} differ\n`);
  return findings.length === 0 ? 0 : 1;
}

async function* run(
  parts: readonly Part[],
  missing: string[],
): AsyncGenerator<{ group: string; recordings: Recordings }> {
  for (const { groups, obstacle, run: runPart } of parts) {
    if (obstacle !== null) {
      process.stdout.write(`${groups.join(', ')}: left out, ${obstacle}\n`);
      continue;
    }
    for (const [group, recordings] of await runPart((what) => missing.push(what)))
      yield { group, recordings };
  }
}

function strayGroups(): string[] {
  const known = PARTS.flatMap(({ groups }) => groups);
  return recordedGroups().filter((group) => !known.includes(group));
}

function show(text: string): number {
  const shown = recordedGroups().flatMap((group) =>
    [...readRecordings(group)]
      .filter(([id]) => `${group}/${id}`.includes(text))
      .map(([id, { status, headers, body }]) => {
        const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
        return `== ${group}/${id}\n${status}\n${headerLines.join('')}\n${linesOf(body).join('\n')}\n`;
      }),
  );
  process.stdout.write(shown.join('\n'));
  if (shown.length === 0) process.stderr.write(`golden: no recording has "${text}" in its group and id\n`);
  return shown.length === 0 ? 1 : 0;
}

// Halves the time of processes that start the same program again.
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/golden', import.meta.url));
enableCompileCache(compileCache);
process.env['NODE_COMPILE_CACHE'] = compileCache;
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await runScript(GOLDEN, runGolden);
