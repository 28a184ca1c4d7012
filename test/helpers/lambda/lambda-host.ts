import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const RUNTIME = fileURLToPath(new URL('../../../node_modules/aws-lambda-ric/index.mjs', import.meta.url));
const RUNTIME_CLIENT = fileURLToPath(new URL('lambda-runtime-client.cjs', import.meta.url));
const API = '/2018-06-01/runtime';
/** Start of a process, which Lambda does not count as call time. */
const START_MS = 30_000;

export interface LambdaOptions {
  /** Contains `index.mjs`. */
  readonly bundleDir: string;
  /** @default 'index.handler' */
  readonly handler?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Timeout of a call, from its delivery to the process. A longer call is killed.
   * @default 30000
   */
  readonly timeoutMs?: number;
  /**
   * Concurrent calls, each in its own process as on Lambda.
   * @default 1
   */
  readonly concurrency?: number;
}

export interface LambdaError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type LambdaResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: LambdaError };

export interface Lambda {
  invoke(event: unknown): Promise<LambdaResult>;
  /** Running processes. */
  processIds(): number[];
  /** Output of all processes. */
  logs(): string;
  stop(): Promise<void>;
}

/** Runs a bundle in the Lambda runtime. Processes start with the first call that needs them. */
export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  const output: Buffer[] = [];
  const environments = await Promise.all(
    Array.from({ length: options.concurrency ?? 1 }, () => ExecutionEnvironment.start(options, output)),
  );
  const idle = [...environments];
  const waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  return {
    async invoke(event) {
      const environment =
        idle.pop() ?? (await new Promise<ExecutionEnvironment>((resolve) => waiting.push(resolve)));
      try {
        return await environment.invoke(event);
      } finally {
        const next = waiting.shift();
        if (next) next(environment);
        else idle.push(environment);
      }
    },
    processIds: () => environments.flatMap(({ processId }) => processId ?? []),
    logs: () => Buffer.concat(output).toString(),
    async stop() {
      await Promise.all(environments.map((environment) => environment.stop()));
    },
  };
}

interface Invocation {
  readonly id: string;
  readonly body: string;
  readonly settle: (result: LambdaResult) => void;
}

/** One process and its Runtime API. Serves one call at a time. */
class ExecutionEnvironment {
  readonly #options: LambdaOptions;
  readonly #output: Buffer[];
  readonly #server: Server;
  #child: ChildProcess | null = null;
  #invocation: Invocation | null = null;
  /** Open poll of an idle process. */
  #poll: ServerResponse | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sequence = 0;

  static async start(options: LambdaOptions, output: Buffer[]): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(options, output);
    environment.#server.listen(0, '127.0.0.1');
    await once(environment.#server, 'listening');
    return environment;
  }

  private constructor(options: LambdaOptions, output: Buffer[]) {
    this.#options = options;
    this.#output = output;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  invoke(event: unknown): Promise<LambdaResult> {
    const { promise, resolve } = Promise.withResolvers<LambdaResult>();
    this.#invocation = {
      id: `00000000-0000-4000-8000-${String(++this.#sequence).padStart(12, '0')}`,
      body: JSON.stringify(event),
      settle: resolve,
    };
    this.#child ??= this.#spawn();
    this.#killAfter(START_MS);
    this.#deliver();
    return promise;
  }

  async stop(): Promise<void> {
    this.#settle(failure('Sandbox.Stopped', 'the host was stopped'));
    this.#kill();
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #spawn(): ChildProcess {
    const { bundleDir, handler = 'index.handler', environment } = this.#options;
    const { port } = this.#server.address() as AddressInfo;
    const child = spawn(process.execPath, ['--require', RUNTIME_CLIENT, RUNTIME, handler], {
      cwd: bundleDir,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Inherits nothing: a bundle that needs more than Lambda provides must fail here.
      env: {
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
        LAMBDA_TASK_ROOT: bundleDir,
        _HANDLER: handler,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_FUNCTION_NAME: 'under-test',
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
        AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/under-test',
        AWS_LAMBDA_LOG_STREAM_NAME: 'local',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        NODE_OPTIONS: '--enable-source-maps',
        TZ: ':UTC',
        ...environment,
      },
    });
    child.stdout.on('data', (chunk: Buffer) => this.#output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#output.push(chunk));
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#poll = null;
      this.#settle(failure('Runtime.ExitError', `the process ended with ${code ?? signal}`));
    });
    return child;
  }

  #killAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#settle(failure('Sandbox.Timedout', `Task timed out after ${milliseconds / 1000} seconds`));
      this.#kill();
    }, milliseconds);
  }

  #kill(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
    this.#poll = null;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === `${API}/invocation/next`) {
      this.#poll = response;
      this.#deliver();
      return;
    }
    const body = JSON.parse((await text(request)) || 'null') as unknown;
    response.writeHead(202).end();
    const id = this.#invocation?.id;
    if (request.url === `${API}/invocation/${id}/response`) {
      this.#settle({ ok: true, payload: body });
    } else if (request.url === `${API}/invocation/${id}/error` || request.url === `${API}/init/error`) {
      this.#settle({ ok: false, error: body as LambdaError });
    }
  }

  #deliver(): void {
    if (!this.#poll || !this.#invocation) return;
    const { id, body } = this.#invocation;
    const timeoutMs = this.#options.timeoutMs ?? 600_000;
    this.#killAfter(timeoutMs);
    this.#poll
      .writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': id,
        'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:under-test',
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
      })
      .end(body);
    this.#poll = null;
  }

  #settle(result: LambdaResult): void {
    clearTimeout(this.#timer);
    const invocation = this.#invocation;
    this.#invocation = null;
    invocation?.settle(result);
  }
}

function failure(errorType: string, errorMessage: string): LambdaResult {
  return { ok: false, error: { errorType, errorMessage } };
}
