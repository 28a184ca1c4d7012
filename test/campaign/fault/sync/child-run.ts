import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CairnEvent } from '../../../../functions/runtime/events.ts';
import type { Invocation } from './invocation.ts';
import type { UpstreamModel } from './upstream-model.ts';

const PROGRAM = fileURLToPath(new URL('invocation.ts', import.meta.url));

/** Where the process is killed. */
export interface Kill {
  readonly call: number;
  readonly side: 'before' | 'after';
}

/** A run in a process of its own, and what it needs from outside beside table and bucket. */
export class ChildRun {
  /** What it said last, empty when it was killed. */
  said = '';
  readonly #child: ChildProcess;
  readonly #server: Server;
  readonly #kill: Kill;
  #calls = 0;

  private constructor(child: ChildProcess, server: Server, kill: Kill) {
    this.#child = child;
    this.#server = server;
    this.#kill = kill;
    child.stdout!.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
  }

  static async start(
    invocation: Omit<Invocation, 'upstreamUrl' | 'eventsUrl'>,
    parent: { readonly model: UpstreamModel; readonly tell: (events: readonly CairnEvent[]) => void },
    kill: Kill,
  ): Promise<ChildRun> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://parent');
      if (pathname === '/events') {
        void text(request).then((body) => {
          parent.tell(JSON.parse(body) as CairnEvent[]);
          response.end();
        });
        return;
      }
      const result = parent.model.ask(
        searchParams.get('channel')!,
        searchParams.get('arch')!,
        invocation.actor,
      );
      response.writeHead(result.ok ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(result.ok ? result.answer : {}));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const told: Invocation = { ...invocation, upstreamUrl: `${url}/graph`, eventsUrl: `${url}/events` };
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(told)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return new ChildRun(child, server, kill);
  }

  /** To be told of each call; true when this is the one at which it was killed. */
  async at(side: Kill['side']): Promise<boolean> {
    if (side === 'before') this.#calls++;
    if (this.#calls !== this.#kill.call || side !== this.#kill.side) return false;
    this.#child.kill('SIGKILL');
    await this.#ended();
    return true;
  }

  /** Once the process is gone; true when it was killed. */
  async over(): Promise<boolean> {
    await this.#ended();
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
    return this.#child.signalCode === 'SIGKILL';
  }

  async #ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
  }
}
