import { getTrusted, type Host, type ProgramResult } from '../../../functions/cli/host.ts';
import { runCairn } from '../../../functions/cli/program.ts';
import { writeFolder } from '../../../functions/cli/write-folder.ts';

export interface CliOptions {
  readonly stdin?: string | Uint8Array;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly clock?: () => number;
  /** @default no wait takes time */
  readonly wait?: Host['wait'];
  /** @default every host is unreachable */
  readonly fetch?: Host['fetch'];
  readonly oc?: (args: readonly string[]) => Partial<ProgramResult>;
  /** Program name in help and errors. */
  readonly name?: string;
}

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly written: Readonly<Record<string, Uint8Array>>;
  /** URLs of all requests. */
  readonly asked: readonly string[];
  readonly ran: readonly string[];
}

/** Runs a command line in this process on a fake host. */
export async function runCli(argv: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const { host, ended } = cliMachine(options);
  return ended(await runCairn(argv, host, options.name));
}

/** A fake host. `ended` returns the effects of a finished command. */
export function cliMachine(options: CliOptions = {}): {
  readonly host: Host;
  readonly ended: (code: number) => CliRun;
} {
  const { files = {}, variables = {}, isTerminal = false, clock = Date.now, oc } = options;
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const written: Record<string, Uint8Array> = {};
  const asked: string[] = [];
  const ran: string[] = [];
  const host: Host = {
    out: { write: (text) => void out.push(Buffer.from(text as string)), isTerminal },
    err: { write: (text) => void err.push(Buffer.from(text as string)), isTerminal },
    input: {
      isTerminal: options.stdin === undefined,
      read: async () => Buffer.from((options.stdin ?? '') as string),
    },
    variables,
    clock,
    wait: options.wait ?? (async () => {}),
    fetch: (input, init) => {
      asked.push(input.href);
      if (!options.fetch)
        return Promise.reject(new TypeError('fetch failed', { cause: new Error('no network') }));
      return options.fetch(input, init);
    },
    getTrusted,
    async readFile(path) {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return { bytes: Buffer.from(content as string), changedAt: new Date('2026-11-16T08:00:00Z') };
    },
    async writeFile(path, bytes) {
      written[path] = bytes;
    },
    // On disk: what it leaves after an error matters.
    writeFolder,
    async run(program, args) {
      ran.push([program, ...args].join(' '));
      if (!oc) return { exitCode: null, stdout: Buffer.alloc(0), stderr: '' };
      return { exitCode: 0, stdout: Buffer.alloc(0), stderr: '', ...oc(args) };
    },
  };
  const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString();
  const ended = (code: number) => ({ code, out: textOf(out), err: textOf(err), written, asked, ran });
  return { host, ended };
}
