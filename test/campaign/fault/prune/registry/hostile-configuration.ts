import type { ReleaseRow } from '@cairn/shared/releases/catalogue';
import { parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import type { Cincinnati } from '../../../../../functions/outbound/cincinnati.ts';
import { listReleases } from '../../../../../functions/releases/rows.ts';
import type { Table } from '../../../../../functions/store/table.ts';
import { runSync } from '../../../../../functions/sync/job.ts';
import { SYNC_LIMITS } from '../../../../../functions/sync/run.ts';
import { Random } from '../../../../helpers/random.ts';
import { type FaultStage, OWN_BUCKET } from '../../harness/stage.ts';
import type { TrialOutcome } from '../../scenario.ts';

const DAY = 86_400_000;
const ARCH = 'amd64';
const ROUNDS = 8;
/** As architecture.md has them. */
const UNCONFIRMED_SHARE = 0.2;
const GRACE_MS = 14 * DAY;
const MINORS = ['4.12', '4.13', '4.14', '4.15', '4.16'];
const silent = { info: () => {}, warn: () => {}, error: () => {} };

interface Draft {
  readonly minors: readonly string[];
  readonly confirmed: readonly string[];
  readonly pinned: readonly string[];
}

/** The configuration loses minors, all at once, by and by, now and then, or is lost itself; rows go only as promised. */
export async function hostileConfigurationTrial(stage: FaultStage, seed: number): Promise<TrialOutcome> {
  const random = new Random(seed);
  const table = await stage.newTable();
  const versions = new Map(
    MINORS.map((minor) => [
      minor,
      Array.from({ length: 1 + random.below(8) }, (_, patch) => `${minor}.${patch}`),
    ]),
  );
  const violations: string[] = [];
  const steps: string[] = [];
  const counts = { runs: 0, refused: 0, deletedRows: 0 };
  /** When each minor was first left out, by the time of the runs that saw it. */
  const absentSince = new Map<string, number>();
  const whole: Draft = { minors: MINORS, confirmed: [], pinned: [] };
  let draft = whole;
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      if (round > 0 && random.chance(0.6)) draft = drawDraft(random, versions);
      const config = configOf(draft);
      steps.push(`${new Date(Date.now()).toISOString()} ${JSON.stringify(draft)}`);
      if (config === null) {
        // Such a configuration does not come to a run: it is refused where it is deployed.
        counts.refused++;
        draft = whole;
        continue;
      }
      const before = await listReleases(table, ARCH);
      await sync(stage, table, config, versions);
      counts.runs++;
      const after = new Set((await listReleases(table, ARCH)).map(({ version }) => version));
      for (const minor of MINORS) {
        if (draft.minors.includes(minor)) absentSince.delete(minor);
        else if (!absentSince.has(minor)) absentSince.set(minor, Date.now());
      }
      const gone = before.filter(({ version }) => !after.has(version));
      counts.deletedRows += gone.length;
      violations.push(...faultsOf(gone, before, draft, absentSince));
      stage.clock.advance(random.pick([1, 3, 8, 15, 30]) * DAY);
    }
  } finally {
    await stage.dropTable(table);
  }
  return { seed, violations, steps, faults: [], counts };
}

function drawDraft(random: Random, versions: ReadonlyMap<string, readonly string[]>): Draft {
  const kept = random.below(MINORS.length + 1);
  const minors = MINORS.filter(() => random.below(MINORS.length) < kept);
  const absent = MINORS.filter((minor) => !minors.includes(minor));
  const named = random.pick([[], absent, absent.slice(1), MINORS.slice(0, 1), absent]);
  return {
    minors,
    confirmed: random.chance(0.4) ? named : [],
    pinned: random.chance(0.3) ? [random.pick(versions.get(random.pick(MINORS))!)] : [],
  };
}

/** Null when it is refused. */
function configOf({ minors, confirmed, pinned }: Draft): ReleaseConfig | null {
  const reading = parseReleaseConfig({
    release_sources: minors.map((minor) => ({
      openshift_version: minor,
      upgrade_channels: [{ cpu_architecture: 'x86_64', channels: ['stable'] }],
    })),
    release_images: pinned.map((version) => ({
      openshift_version: version.split('.').slice(0, 2).join('.'),
      version,
      url: payloadOf(version),
      cpu_architecture: 'x86_64',
    })),
    ...(confirmed.length > 0 && { confirm_removal: confirmed }),
  });
  return reading.ok ? reading.config : null;
}

async function sync(
  stage: FaultStage,
  table: Table,
  config: ReleaseConfig,
  versions: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const upstream: Cincinnati = {
    async fetchGraph(channel) {
      const answer = graphOf(versions.get(channel.split('-')[1]!) ?? []);
      return { ok: true, answer, bytes: 1, attempts: 1 };
    },
    close: async () => {},
  };
  await runSync(
    {
      table,
      bucket: { client: stage.direct, name: OWN_BUCKET },
      config,
      upstream: { kind: 'live', url: 'http://127.0.0.1', open: () => upstream },
      events: { publish: async () => [] },
      log: silent,
      clock: Date.now,
      limits: { retirementGraceMs: SYNC_LIMITS.retirementGraceMs },
    },
    { scheduledTime: new Date(Date.now()).toISOString(), trigger: 'schedule' },
  );
}

function faultsOf(
  gone: readonly ReleaseRow[],
  before: readonly ReleaseRow[],
  { confirmed, pinned }: Draft,
  absentSince: ReadonlyMap<string, number>,
): string[] {
  const minors = [...new Set(gone.map(minorOf))];
  const early = minors.filter((minor) => Date.now() - (absentSince.get(minor) ?? Infinity) < GRACE_MS);
  const faults = early.map((minor) => `rows of ${minor} went before its time`);
  for (const { version } of gone) if (pinned.includes(version)) faults.push(`${version} is pinned and went`);
  const isMuch = minors.length > 1 || gone.length > before.length * UNCONFIRMED_SHARE;
  const unconfirmed = minors.filter((minor) => !confirmed.includes(minor));
  if (isMuch && unconfirmed.length > 0) {
    const share = `${gone.length} of ${before.length} rows`;
    faults.push(`${share} of ${minors.join()} went, nobody confirmed ${unconfirmed.join()}`);
  }
  return faults;
}

/** Each version leads to the next. */
function graphOf(versions: readonly string[]): object {
  return {
    version: 1,
    nodes: versions.map((version) => ({ version, payload: payloadOf(version), metadata: {} })),
    edges: versions.slice(1).map((_, index) => [index, index + 1]),
    conditionalEdges: [],
  };
}

function payloadOf(version: string): string {
  return `quay.io/openshift-release-dev/ocp-release@sha256:${Buffer.from(version).toString('hex').padStart(64, '0')}`;
}

function minorOf({ version }: ReleaseRow): string {
  return version.split('.').slice(0, 2).join('.');
}
