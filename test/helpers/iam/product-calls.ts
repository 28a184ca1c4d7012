import { requestTo } from '../lambda/deployment.ts';
import type { Lambda } from '../lambda/lambda-host.ts';
import { type FunctionName, FUNCTIONS, type GuardedStack } from './guarded-stack.ts';

const HOUR = 3600_000;
export const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** Calls of users and schedules. Times are hours from now, because functions use the time of their event. */
export class ProductCalls {
  readonly #stack: GuardedStack;
  readonly #lambdas: Record<FunctionName, Lambda>;

  static async start(stack: GuardedStack): Promise<ProductCalls> {
    const started = Object.keys(FUNCTIONS).map(
      async (name) => [name, await stack.start(name as FunctionName)] as const,
    );
    return new ProductCalls(
      stack,
      Object.fromEntries(await Promise.all(started)) as Record<FunctionName, Lambda>,
    );
  }

  private constructor(stack: GuardedStack, lambdas: Record<FunctionName, Lambda>) {
    this.#stack = stack;
    this.#lambdas = lambdas;
  }

  async configure(releases: object): Promise<void> {
    this.#stack.configure(releases);
    this.#lambdas['sync-releases'] = await this.#stack.start('sync-releases');
  }

  sync(hours: number): Promise<unknown> {
    return this.#run(this.#lambdas['sync-releases'], { scheduledTime: inHours(hours), trigger: 'schedule' });
  }

  watch(hours: number): Promise<unknown> {
    return this.#run(this.#lambdas.watch, { scheduledTime: inHours(hours), trigger: 'schedule' });
  }

  followFleet(hours: number): Promise<unknown> {
    return this.#run(this.#lambdas['follow-fleet'], { scheduledTime: inHours(hours), trigger: 'schedule' });
  }

  prune(hours: number, request: object = {}): Promise<unknown> {
    return this.#run(this.#lambdas['run-pruner'], pruneEvent(hours, request));
  }

  /** The remaining time is so short that the run pauses at once. */
  async pruneHurriedly(hours: number, request: object = {}): Promise<unknown> {
    const hurried = await this.#stack.start('run-pruner', { timeoutMs: 50_000 });
    return this.#run(hurried, pruneEvent(hours, request));
  }

  ask(method: string, target: string, body?: unknown) {
    return requestTo(this.#lambdas)(method, target, {
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  }

  /** Sends requests in sequence and returns those with an unexpected response. */
  async faultsOf(
    ...requests: readonly (readonly [status: number, ...Parameters<ProductCalls['ask']>])[]
  ): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const [expected, ...request] of requests) {
      const { status, text } = await this.ask(...request);
      if (status !== expected) faults.push(`${request[0]} ${request[1]}: ${status} ${text}`);
    }
    return faults;
  }

  async #run(lambda: Lambda, event: object): Promise<unknown> {
    const result = await lambda.invoke(event);
    if (!result.ok) throw new Error(`${JSON.stringify(result.error)}\n${lambda.logs().slice(-3000)}`);
    return result.payload;
  }
}

function pruneEvent(hours: number, request: object): object {
  return { pruner: 'north', scheduledTime: inHours(hours), trigger: 'manual', ...request };
}
