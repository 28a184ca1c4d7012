import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CairnEvent } from '../../../../functions/runtime/events.ts';
import { listen, type Listening } from '../../../helpers/listen.ts';
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
  readonly #server: Listening;
  readonly #kill: Kill;
  #calls = 0;

  private constructor(child: ChildProcess, server: Listening, kill: Kill) {
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
    const local = await listen(server);
    const told: Invocation = {
      ...invocation,
      upstreamUrl: `${local.url}/graph`,
      eventsUrl: `${local.url}/events`,
    };
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(told)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return new ChildRun(child, local, kill);
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
    await this.#server.close();
    return this.#child.signalCode === 'SIGKILL';
  }

  async #ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
  }
}
