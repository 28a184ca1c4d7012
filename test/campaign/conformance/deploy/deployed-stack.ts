import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Lambda, startLambda } from '../../../helpers/lambda/lambda-host.ts';
import { listen } from '../../../helpers/listen.ts';

/** As moto has it, by GetFunctionConfiguration. */
interface DeployedFunction {
  /** Where the code of its asset was unpacked. */
  readonly code: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly FunctionArn: string;
  readonly Handler: string;
  readonly Timeout: number;
  readonly MemorySize: number;
}

/** What `deploy.py` writes of a stack. */
export interface StackState {
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, DeployedFunction>>;
  /** Physical identifiers, by logical name. */
  readonly physical: Readonly<Record<string, string>>;
  /** What was not made by the stack, by logical name. */
  readonly made: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly properties: Record<string, unknown>;
        readonly values: Record<string, string>;
      }
    >
  >;
  /** How each type was made: `stack`, `api` or `left out`. */
  readonly types: Readonly<Record<string, string>>;
}

export function readState(folder: string): StackState {
  return JSON.parse(readFileSync(join(folder, 'stack.json'), 'utf8')) as StackState;
}

const FUNCTIONS = {
  query: /^Query/,
  manage: /^Manage/,
  sync: /^SyncReleases/,
  watch: /^Watch/,
  fleet: /^FollowFleet/,
  prune: /^PruningRunPruner/,
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

/** The physical identifier of the one resource whose logical name begins so. */
export function physicalOf({ physical }: StackState, logical: string): string {
  const found = Object.entries(physical).find(([name]) => name.startsWith(logical));
  if (!found) throw new Error(`the stack has no ${logical}`);
  return found[1];
}

export function functionOf({ functions }: StackState, name: FunctionName): DeployedFunction {
  const found = Object.entries(functions).find(([logical]) => FUNCTIONS[name].test(logical));
  if (!found) throw new Error(`the stack has no function ${name}`);
  return found[1];
}

/**
 * Runs a function of the stack with exactly the variables that it has there, and those that Lambda gives: AWS is at
 * `awsUrl`. `overrides` are what no deployment has.
 */
export function startFunction(
  state: StackState,
  name: FunctionName,
  awsUrl: string,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Lambda> {
  const { code, environment, Handler, Timeout, MemorySize } = functionOf(state, name);
  return startLambda({
    bundleDir: code,
    handler: Handler,
    timeoutMs: Timeout * 1000,
    environment: {
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
      AWS_ENDPOINT_URL: awsUrl,
      ...environment,
      ...overrides,
    },
  });
}

export interface CountingProxy {
  readonly url: string;
  /** Operations of the table, in the order of their requests. */
  readonly tableCalls: string[];
  close(): Promise<void>;
}

/** Passes everything on, and notes what is asked of the table. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const tableCalls: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const [service, operation] = String(incoming.headers['x-amz-target'] ?? '').split('.');
    if (service?.startsWith('DynamoDB') && operation) tableCalls.push(operation);
    const { method, url: path, headers } = incoming;
    const passed = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', (error) => outgoing.destroy(error));
    incoming.pipe(passed);
  });
  return { ...(await listen(server)), tableCalls };
}

/** Runs `deploy.py` once more, which updates the stack. */
export async function updateStack(python: string, assembly: string, stack: string, folder: string) {
  const script = join(import.meta.dirname, 'deploy.py');
  await promisify(execFile)(python, [script, assembly, stack, folder]);
  return readState(folder);
}
