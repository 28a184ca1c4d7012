import { nearestName } from '@cairn/shared/text/nearest';
import { helpOf, overview } from '../command-line/help.ts';
import { parseCommandLine } from '../command-line/parse.ts';
import { badInput, EXIT, Failure } from '../runtime/exit.ts';
import { VERSION } from '../runtime/version.ts';
import { channels } from './commands/channels.ts';
import { paths } from './commands/paths.ts';
import { plan } from './commands/plan.ts';
import { pruneHistory } from './commands/prune-history.ts';
import { pruneImages, pruneResources } from './commands/prune-objects.ts';
import { report } from './commands/report.ts';
import { risks } from './commands/risks.ts';
import { status } from './commands/status.ts';
import { versions } from './commands/versions.ts';
import { completionScript, SHELLS } from './completion.ts';
import type { Command, Host } from './host.ts';

/** Returns the exit code; `name` is the invoked name, `cairn` or `oc cairn`. */
export async function runCairn(argv: readonly string[], host: Host, name = 'cairn'): Promise<number> {
  try {
    return await run(argv, host, name);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const line of error.lines) host.err.write(`${name}: ${line}\n`);
    return error.exitCode;
  }
}

async function run(argv: readonly string[], host: Host, name: string): Promise<number> {
  const commands = COMMANDS;
  const [first = '--help', second] = argv;
  if (first === '--help' || first === '-h' || first === 'help') {
    host.out.write(overview(name, commands));
    return argv.length === 0 ? EXIT.badInput : EXIT.ready;
  }
  if (first === '--version') {
    host.out.write(`${VERSION}\n`);
    return EXIT.ready;
  }
  const command = commands.find((other) => other.name === first || other.name === `${first} ${second}`);
  if (!command) throw unknownCommand(first, second, commands);
  const args = parseCommandLine(command, argv.slice(command.name.split(' ').length), host.variables);
  if (args) return command.run(args, host);
  host.out.write(helpOf(name, command));
  return EXIT.ready;
}

const OTHERS = [
  paths,
  plan,
  risks,
  status,
  report,
  versions,
  channels,
  pruneHistory,
  pruneResources,
  pruneImages,
];

const completion: Command = {
  name: 'completion',
  summary: 'a script that completes commands in your shell',
  arguments: 'SHELL',
  most: 1,
  argumentValues: SHELLS,
  about: 'Prints a script that completes commands, flags and their values in bash, zsh or fish.',
  flags: {},
  examples: [
    'source <(cairn completion bash)',
    'cairn completion fish > ~/.config/fish/completions/cairn.fish',
  ],
  async run({ arguments: [shell] }, { out }) {
    const known = SHELLS.find((other) => other === shell);
    if (!known) throw badInput(`a shell is needed: ${SHELLS.join(', ')} are accepted`);
    out.write(completionScript(known, 'cairn', COMMANDS));
    return EXIT.ready;
  },
};

export const COMMANDS: readonly Command[] = [...OTHERS, completion];

function unknownCommand(first: string, second: string | undefined, commands: readonly Command[]): Failure {
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length > 0) {
    const what =
      second === undefined || second.startsWith('-')
        ? `${first} needs one of these`
        : `"${first} ${second}" is no command`;
    return badInput(`${what}: ${group.join(', ')}`);
  }
  const nearest = nearestName(
    first,
    commands.map(({ name }) => name.split(' ')[0]!),
  );
  const hint = nearest ? `did you mean ${nearest}?` : '"cairn --help" lists them';
  return badInput(`"${first}" is no command, ${hint}`);
}
