import { Random } from '../../../helpers/random.ts';
import type { FaultStage } from '../harness/stage.ts';
import type { TrialOptions, TrialOutcome } from '../scenario.ts';
import { comeToRest } from './come-to-rest.ts';
import type { Instance } from './instance.ts';
import { RATES } from './rates.ts';
import { type Wish, wishOf } from './requests.ts';
import { type ClustersScene, inClustersScene } from './scene.ts';

const MINUTE = 60_000;
const PERIODS = 2;
const READERS = 2;

/** Clusters report to the API, all at once and among faults, while their histories are lowered; all by the seed. */
export function clustersTrial(stage: FaultStage, { kind, ...options }: TrialOptions): Promise<TrialOutcome> {
  const random = new Random(options.seed);
  return inClustersScene(stage, { ...options, rates: RATES[kind] }, async (scene) => {
    for (let period = 0; period < PERIODS; period++) {
      scene.historyLimit = 8 + random.below(7);
      scene.note(`histories are limited to ${scene.historyLimit} entries`);
      await play(scene, random);
      stage.clock.advance(20 * MINUTE);
    }
    await comeToRest(scene);
    return scene.outcome();
  });
}

/** Everybody at once, until all are done. */
async function play(scene: ClustersScene, random: Random): Promise<void> {
  const actors: Promise<void>[] = [];
  const start = (work: (scene: ClustersScene, actor: number, dice: Random) => Promise<void>) => {
    const dice = new Random(random.below(2 ** 30));
    actors.push(scene.turns.act((actor) => work(scene, actor, dice)));
  };
  for (let client = 0; client < scene.rates.clients; client++) start(report);
  for (let reader = 0; reader < READERS; reader++) start(read);
  for (let watches = random.below(3); watches > 0; watches--) start(lower);
  await Promise.all(actors);
}

async function report(scene: ClustersScene, actor: number, dice: Random): Promise<void> {
  const etags = new Map<string, string>();
  let instance: Instance | null = null;
  for (let requests = 1 + dice.below(4); requests > 0; requests--) {
    const id = dice.pick([...scene.stories.keys()]);
    const isDeletion = dice.chance(0.1);
    const known = etags.get(id);
    const wish: Wish = {
      what: isDeletion ? 'delete' : 'put',
      id,
      report: isDeletion ? null : scene.stories.get(id)!.report(scene.nextReport()),
      ifMatch: known !== undefined && dice.chance(0.35) ? known : null,
      isFirst: !isDeletion && dice.chance(0.05),
    };
    const isUploaded = dice.chance(0.1);
    instance = scene.instance(actor, instance);
    const own = instance;
    const asked = await withCopies(scene, actor, dice, (by) =>
      scene.ask(by === actor ? own : scene.instance(by, null), wish, isUploaded),
    );
    const etag = asked.answer?.headers['etag'];
    if (typeof etag === 'string') etags.set(id, etag);
  }
}

async function read(scene: ClustersScene, actor: number, dice: Random): Promise<void> {
  let instance: Instance | null = null;
  for (let reads = 2 + dice.below(4); reads > 0; reads--) {
    const what = dice.pick(['get', 'get', 'history', 'list'] as const);
    const id = what === 'list' ? '' : dice.pick([...scene.stories.keys()]);
    instance = scene.instance(actor, instance);
    await scene.ask(instance, wishOf({ what, id }));
  }
}

async function lower(scene: ClustersScene, actor: number, dice: Random): Promise<void> {
  const wrong = scene.disturbances.drawWrongSlot();
  const slot = new Date(Date.now() + dice.below(5) * 1000 + (wrong?.offset ?? 0)).toISOString();
  const clock = wrong?.clock && { offset: wrong.clock.offset };
  await withCopies(scene, actor, dice, (by) => scene.watch(scene.instance(by, null), slot, clock));
}

/** Does something, and perhaps the same several times more at once; gives what the first came to. */
async function withCopies<T>(
  scene: ClustersScene,
  actor: number,
  dice: Random,
  work: (by: number) => Promise<T>,
): Promise<T> {
  const copies = dice.chance(scene.rates.copied) ? 1 + dice.below(4) : 0;
  const others = Array.from({ length: copies }, () =>
    scene.turns.act(async (other) => {
      await work(other);
    }),
  );
  const first = await work(actor);
  if (others.length > 0) await scene.turns.aside(actor, Promise.all(others));
  return first;
}
