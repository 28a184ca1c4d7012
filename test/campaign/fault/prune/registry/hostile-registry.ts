import { type InUse, inUseToJson } from '@cairn/shared/prune/images/in-use/facts';
import { FEW_BLOBS, MOST_THAT_MAY_GO } from '@cairn/shared/prune/images/plan/breakers';
import { inUseTaken } from '@cairn/shared/prune/images/pruner/record';
import { blobKey, revisionLinkKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { RUN_FILE } from '../../../../../functions/pruners/files.ts';
import { revisePruner } from '../../../../../functions/pruners/store.ts';
import type { Table } from '../../../../../functions/store/table.ts';
import { Random } from '../../../../helpers/random.ts';
import { digestOf, TestRegistry } from '../../../../helpers/registry/test-registry.ts';
import type { FaultSource } from '../../../../helpers/s3/bucket-proxy.ts';
import type { FaultStage } from '../../harness/stage.ts';
import type { TrialOutcome } from '../../scenario.ts';
import { smallPages } from '../disturbances.ts';
import { invokePruner } from '../invocations.ts';
import { preparePruner } from '../prepare-pruner.ts';
import { runFilesOf } from '../run-report.ts';
import { type Evil, EVILS } from './registry-evils.ts';

const HOUR = 3_600_000;
const RUNS = 3;

/** A pruner is let loose on a registry that is not what anybody meant; no more goes than the breaker lets through. */
export async function hostileRegistryTrial(stage: FaultStage, seed: number): Promise<TrialOutcome> {
  const random = new Random(seed);
  const [name, evil] = random.pick(Object.entries(EVILS));
  const scene = await HostileRegistry.open(stage, random, evil);
  try {
    await evil.change?.(scene);
    for (let run = 0; run < RUNS; run++) {
      stage.clock.advance(26 * HOUR);
      await scene.run();
    }
    return {
      seed,
      violations: scene.violations,
      steps: [name, ...scene.steps],
      faults: [],
      counts: scene.counts,
    };
  } finally {
    stage.bucketProxy.use(null);
    await stage.dropTable(scene.table);
  }
}

/** A registry of a few images, and a pruner of it. */
export class HostileRegistry implements FaultSource {
  readonly table: Table;
  readonly pageSize = smallPages(false);
  readonly violations: string[] = [];
  readonly steps: string[] = [];
  readonly counts = { runs: 0, deletedKeys: 0, blocked: 0 };
  readonly #stage: FaultStage;
  readonly #random: Random;
  readonly #evil: Evil;
  readonly #pruner: string;
  readonly #bucket: string;
  readonly #registry: TestRegistry;
  readonly #tags = new Map<string, string>();
  readonly #gone = new Set<string>();
  readonly #maxDeletes: number;

  static async open(stage: FaultStage, random: Random, evil: Evil): Promise<HostileRegistry> {
    const scene = new HostileRegistry(stage, random, evil, await stage.newTable());
    stage.bucketProxy.use(scene);
    await scene.#prepare();
    return scene;
  }

  private constructor(stage: FaultStage, random: Random, evil: Evil, table: Table) {
    this.table = table;
    this.#stage = stage;
    this.#random = random;
    this.#evil = evil;
    this.#pruner = `blast-${stage.newName()}`;
    this.#bucket = `registry-${this.#pruner}`;
    this.#registry = new TestRegistry(stage.direct, this.#bucket);
    this.#maxDeletes = evil.spec?.maxDeletes ?? Infinity;
  }

  async #prepare(): Promise<void> {
    const { direct } = this.#stage;
    const policy = {
      keepTagRevisions: this.#random.below(3),
      keepYoungerThan: '0s',
      grace: this.#random.pick(['0s', '24h']),
      ...this.#evil.spec,
    };
    const target = { bucket: this.#bucket, prefix: '' };
    await preparePruner({ direct, table: this.table }, this.#pruner, target, policy);
    const images = 2 + this.#random.below(10);
    for (let image = 0; image < images; image++) {
      const repository = this.#random.pick(['app', 'team/web', 'base']);
      const tag = `v${this.#random.below(6)}`;
      const layers = Array.from(
        { length: 1 + this.#random.below(3) },
        () => `layer ${this.#random.below(20)}`,
      );
      this.#stage.clock.advance(1000);
      this.#tags.set(
        `${repository}:${tag}`,
        await this.#registry.push(repository, tag, [...layers, `own ${image}`]),
      );
    }
  }

  /** One run in one invocation, with what is in use said anew before it. */
  async run(): Promise<void> {
    await this.#sayInUse();
    const before = await this.#registry.keys();
    this.#gone.clear();
    const { s3, table } = this.#stage.newClients();
    this.#evil.lie?.(s3, this.#random);
    this.counts.runs++;
    let told = 'failed';
    try {
      const own = { client: table, name: this.table.name };
      const scheduledTime = new Date(Date.now()).toISOString();
      const request = { pruner: this.#pruner, scheduledTime, trigger: 'schedule' } as const;
      told = JSON.stringify(await invokePruner(s3, own, request));
    } catch (error) {
      told = (error as Error).message;
    }
    s3.destroy();
    table.destroy();
    this.steps.push(`${told}; ${this.#gone.size} keys of ${before.length} went`);
    this.counts.deletedKeys += this.#gone.size;
    if (this.#gone.size === 0) this.counts.blocked++;
    await this.#check(before.filter(isBlob).length);
  }

  async removeAll(isMeant: (key: string) => boolean): Promise<void> {
    for (const key of await this.#registry.keys()) if (isMeant(key)) await this.#registry.remove(key);
    this.#tags.clear();
  }

  async addOrphans(count: number): Promise<void> {
    for (let orphan = 0; orphan < count; orphan++) {
      const content = `orphan ${orphan}`;
      await this.#registry.write(blobKey(this.#registry.root, digestOf(content)), content);
    }
  }

  async garbleManifests(): Promise<void> {
    for (const digest of this.#tags.values()) {
      if (this.#random.chance(0.5))
        await this.#registry.write(blobKey(this.#registry.root, digest), '{"layers":');
    }
  }

  async addDeadLinks(): Promise<void> {
    for (let link = 0; link < 10; link++) {
      const digest = digestOf(`nothing ${link}`);
      await this.#registry.write(revisionLinkKey(this.#registry.root, 'app', digest), digest);
    }
  }

  /** What it has is like that of the others, but for its name. */
  async addOddRepository(): Promise<void> {
    const name = this.#random.pick(['my app', 'team/größe', '_team/app', 'team/_app', 'team/_uploads/app']);
    await this.addOrphans(5);
    this.#tags.set(`${name}:v1`, await this.#registry.push(name, 'v1', ['layer 1', 'only here']));
  }

  async #sayInUse(): Promise<void> {
    if (this.#evil.inUse === undefined) return;
    const none = new Set<string>();
    const inUse: InUse = {
      complete: true,
      collectedAt: Date.now(),
      usedImages: none,
      usedTags: none,
      usedDigests: none,
      protectedRepositories: none,
      streams: null,
      ...this.#evil.inUse,
    };
    const revision = `revision-${this.counts.runs}`;
    const files = runFilesOf(this.#pruner, this.#stage.direct);
    await files.write(RUN_FILE.inUse(revision), inUseToJson(inUse), { json: true });
    await revisePruner(this.table, this.#pruner, `uid of ${this.#pruner}`, (record) =>
      inUseTaken(record, {
        revision,
        collectedAt: new Date(inUse.collectedAt).toISOString(),
        complete: inUse.complete,
        missing: [],
        images: 0,
        tags: 0,
        digests: 0,
        imageStreams: null,
        invalidReferences: 0,
      }),
    );
  }

  async #check(blobs: number): Promise<void> {
    const gone = [...this.#gone];
    if (!this.#evil.mayGo && gone.length > 0) this.violations.push(`${gone[0]} went, nothing may go`);
    const blobsGone = gone.filter(isBlob).length;
    if (blobsGone > FEW_BLOBS && blobsGone > blobs * MOST_THAT_MAY_GO) {
      this.violations.push(`${blobsGone} of ${blobs} blobs went`);
    }
    if (gone.length > this.#maxDeletes) this.violations.push(`${gone.length} keys went at once`);
    if (this.#evil.mayBreakTags) return;
    for (const name of this.#tags.keys()) {
      const [repository, tag] = name.split(':');
      const fault = await this.#registry.faultOfPull(repository!, tag!);
      if (fault !== null) this.violations.push(`${name} cannot be pulled: ${fault}`);
    }
  }

  next(): Promise<null> {
    return Promise.resolve(null);
  }

  carriedOut(
    { bucket, method, key, query }: Parameters<FaultSource['carriedOut']>[0],
    gone: readonly string[],
  ): void {
    if (bucket !== this.#bucket) return;
    for (const name of gone) this.#gone.add(name);
    if (method === 'DELETE' && !query.has('versionId')) this.#gone.add(key);
  }

  told(): void {}
}

function isBlob(key: string): boolean {
  return key.includes('/blobs/');
}
