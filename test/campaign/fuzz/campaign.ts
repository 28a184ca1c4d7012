import fc from 'fast-check';
import { HEAVY_BODIES } from './grammar/bodies.ts';
import { OPERATIONS } from './grammar/interface.ts';
import { CLUSTER_IDS, PRUNER_NAMES } from './grammar/pools.ts';
import { seedOf, shot as anyShot, shotOf } from './grammar/shots.ts';
import type { Shot } from './request.ts';
import { Scenario } from './scenario.ts';
import { type MemorySample, startTarget, type Target } from './target.ts';
import { verify, type Verification } from './verify.ts';
import { Wire, type WireOutcome } from './wire.ts';

export interface Failure {
  /** Its number in the run, from 0; that of a heavy body at the beginning is -1. */
  readonly number: number;
  readonly route: string;
  readonly faults: readonly string[];
  /** How many requests failed alike. */
  count: number;
  shot: Shot;
}

export interface CampaignResult {
  readonly requests: number;
  readonly seed: number;
  /** Requests by the status that answered them; those without an answer under 0. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Of each route that was asked, how often it gave data. */
  readonly routes: ReadonlyMap<string, { asked: number; succeeded: number }>;
  /** Answers of 503 because of a kill switch that a request had thrown. */
  readonly stopped: number;
  readonly failures: readonly Failure[];
  readonly mishaps: readonly string[];
  readonly milliseconds: { readonly p50: number; readonly p99: number; readonly most: number };
  readonly memory: MemoryResult;
  readonly url: string;
}

export interface MemoryResult {
  readonly samples: readonly MemorySample[];
  /** Mean RSS in bytes of the first and of the last third after the warm-up. */
  readonly first: number;
  readonly last: number;
  readonly growth: number;
}

export interface CampaignOptions {
  readonly seed: number;
  readonly requests: number;
  /**
   * Whether the heaviest bodies are sent first, so that memory is at its height when it is first looked at.
   * @default true
   */
  readonly isWarmedUp?: boolean;
  readonly onProgress?: (done: number) => void;
}

const WORKERS = 4;
const ROUNDS = 30;
/** Rounds at the beginning in which code is compiled and caches fill. */
const WARM_UP = 6;
const MOST_SHRUNK = 10;
const SHRINK_MS = 10_000;

/** Sends the requests of a seed to a service of its own and verifies every answer. */
export async function runCampaign({
  seed,
  requests,
  isWarmedUp = true,
  onProgress,
}: CampaignOptions): Promise<CampaignResult> {
  const target = await startTarget();
  try {
    const run = await createRun(target);
    const samples: MemorySample[] = [];
    if (isWarmedUp) await meetHeavyBodies(run);
    let next = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const end = Math.floor((requests * round) / ROUNDS);
      const work = async (wire: Wire): Promise<void> => {
        while (next < end && !run.isDown()) {
          const number = next++;
          await run.shoot(wire, shotOf(seed, number), number);
        }
      };
      await Promise.all(run.wires.map(work));
      if (run.isDown()) break;
      await run.startAgain();
      samples.push(await target.sample());
      onProgress?.(next);
    }
    if (!run.isDown()) await shrinkFailures(run, seed);
    return { ...run.result(), requests: next, seed, memory: memoryOf(samples), url: target.url };
  } finally {
    await target.close();
  }
}

/** Sends these, in order, one at a time. */
export async function replay(shots: readonly Shot[]): Promise<{
  readonly target: string;
  readonly verified: readonly (Verification & { readonly outcome: WireOutcome })[];
  readonly mishaps: readonly string[];
}> {
  const target = await startTarget();
  try {
    const run = await createRun(target);
    const verified = [];
    for (const [number, shot] of shots.entries()) verified.push(await run.shoot(run.wires[0]!, shot, number));
    // What it has to tell comes a little later than the answer.
    await target.sample();
    return { target: target.url, verified, mishaps: target.mishaps };
  } finally {
    await target.close();
  }
}

type Run = Awaited<ReturnType<typeof createRun>>;

async function createRun(target: Target) {
  const scenario = await Scenario.create(target);
  const wires = Array.from({ length: WORKERS }, () => new Wire(target.port));
  const statuses = new Map<number, number>();
  const routes = new Map<string, { asked: number; succeeded: number }>();
  const failures = new Map<string, Failure>();
  const times: number[] = [];
  let stopped = 0;

  const verified = async (wire: Wire, shot: Shot): Promise<Verification & { outcome: WireOutcome }> => {
    const filled = scenario.fill(shot);
    const outcome = filled.kind === 'raw' ? await wire.sendRaw(filled.raw) : await wire.send(filled.request);
    if (outcome.kind === 'answer') scenario.learn(outcome.answer);
    return { ...verify(filled, outcome), outcome };
  };

  return {
    wires,
    verified,
    failures,
    startAgain: () => scenario.startAgain(),
    isDown: () => target.mishaps.some((mishap) => mishap.startsWith('the process ended')),
    async shoot(wire: Wire, shot: Shot, number: number) {
      const verification = await verified(wire, shot);
      const { outcome, route, faults } = verification;
      const status = outcome.kind === 'answer' ? outcome.answer.status : 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const counts = routes.get(route) ?? { asked: 0, succeeded: 0 };
      routes.set(route, counts);
      counts.asked++;
      if (status >= 200 && status < 400) counts.succeeded++;
      if (verification.isStopped) stopped++;
      if (outcome.kind === 'answer' && shot.kind === 'request' && number >= 0)
        times.push(outcome.answer.milliseconds);
      if (faults.length > 0) {
        const alike = `${route} ${faults[0]!.slice(0, 100)}`;
        const known = failures.get(alike);
        if (known) known.count++;
        else failures.set(alike, { number, route, faults, count: 1, shot: scenario.fill(shot) });
      }
      return verification;
    },
    result() {
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
      return {
        statuses,
        routes,
        stopped,
        failures: [...failures.values()],
        mishaps: [...new Set(target.mishaps)],
        milliseconds: { p50: at(0.5), p99: at(0.99), most: at(1) },
      };
    },
  };
}

/** Memory that was needed once is not given back to the system, so all that needs much comes before it is measured. */
async function meetHeavyBodies(run: Run): Promise<void> {
  const shots = OPERATIONS.filter(({ bodies }) => bodies.size > 0).flatMap(({ method, path }) =>
    HEAVY_BODIES.map((body): Shot => {
      const target = path.replace('{id}', CLUSTER_IDS[0]!).replace('{name}', PRUNER_NAMES[0]!);
      return {
        kind: 'request',
        request: { method, target, headers: [['content-type', 'application/gzip']], body },
      };
    }),
  );
  const work = async (wire: Wire): Promise<void> => {
    for (let shot = shots.pop(); shot !== undefined; shot = shots.pop()) await run.shoot(wire, shot, -1);
  };
  await Promise.all(run.wires.map(work));
}

/** Makes the requests that failed as small as they can be and still fail. */
async function shrinkFailures(run: Run, seed: number): Promise<void> {
  for (const failure of [...run.failures.values()].slice(0, MOST_SHRUNK)) {
    if (run.isDown()) return;
    // Those of the beginning are as they are.
    if (failure.number < 0) continue;
    const property = fc.asyncProperty(anyShot, async (shot) => {
      const { route, faults } = await run.verified(run.wires[0]!, shot);
      return !(route === failure.route && faults.length > 0);
    });
    const { counterexample } = await fc.check(property, {
      seed: seedOf(seed, failure.number),
      numRuns: 1,
      interruptAfterTimeLimit: SHRINK_MS,
    });
    if (counterexample) failure.shot = counterexample[0];
  }
}

function memoryOf(samples: readonly MemorySample[]): MemoryResult {
  const settled = samples.slice(WARM_UP);
  const third = Math.max(1, Math.floor(settled.length / 3));
  const mean = (some: readonly MemorySample[]): number =>
    some.reduce((total, { rss }) => total + rss, 0) / Math.max(1, some.length);
  const [first, last] = [mean(settled.slice(0, third)), mean(settled.slice(-third))];
  return { samples, first, last, growth: first === 0 ? 0 : last / first - 1 };
}
