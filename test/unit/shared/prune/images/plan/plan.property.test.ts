import { blobKey, parseStorageKey } from '@cairn/shared/prune/images/registry/storage-layout';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AT_ONCE,
  deletionsOf,
  HOUR,
  NOW,
  ROOT,
  shortDeletions,
  type Scenario,
} from '../../../../../helpers/prune/scenario.ts';
import { sized } from '../../../../../helpers/size.ts';
import { danglingIn, missingFor, scenarios, scenariosOfAllAges } from './random-scenario.ts';

/**
 * `registry garbage-collect -m`, said plainly. Two quirks of it are left out: it removes a layer link only when no
 * repository walked before has the layer, and it spares an untagged manifest that another repository has tagged.
 */
function garbageCollect(scenario: Scenario): { manifests: Set<string>; blobs: Set<string> } {
  const revisions = new Map<string, Set<string>>();
  const present = new Set<string>();
  for (const key of scenario.keys.keys()) {
    const parsed = parseStorageKey(ROOT, key);
    if (parsed.kind === 'blob') present.add(parsed.digest);
    if (parsed.kind !== 'revision-link') continue;
    if (!revisions.has(parsed.repository)) revisions.set(parsed.repository, new Set());
    revisions.get(parsed.repository)!.add(parsed.digest);
  }
  const manifests = new Set<string>();
  const blobs = new Set<string>();
  for (const [repository, linked] of revisions) {
    const visit = (digest: string): void => {
      if (manifests.has(`${repository}@${digest}`)) return;
      manifests.add(`${repository}@${digest}`);
      blobs.add(digest);
      const facts = scenario.manifests.get(digest)!;
      for (const reference of 'references' in facts ? facts.references : []) {
        blobs.add(reference.digest);
        if (linked.has(reference.digest)) visit(reference.digest);
      }
    };
    for (const digest of linked) {
      const isTagged = [...scenario.tags].some(
        ([name, target]) => target === digest && name.slice(0, name.lastIndexOf(':')) === repository,
      );
      if (isTagged) visit(digest);
    }
  }
  return { manifests, blobs: new Set([...blobs].filter((blob) => present.has(blob))) };
}

function remaining(scenario: Scenario): { manifests: Set<string>; blobs: Set<string> } {
  const manifests = new Set<string>();
  const blobs = new Set<string>();
  for (const key of scenario.keys.keys()) {
    const parsed = parseStorageKey(ROOT, key);
    if (parsed.kind === 'blob') blobs.add(parsed.digest);
    if (parsed.kind === 'revision-link') manifests.add(`${parsed.repository}@${parsed.digest}`);
  }
  return { manifests, blobs };
}

const SEVERAL_RUNS = { ...AT_ONCE, graceMs: 24 * HOUR, keepYoungerThanMs: HOUR };

describe('plans of random registries', () => {
  it('leave the manifests and blobs that the garbage collection of the registry leaves', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        expect(remaining(scenario.copy().apply(scenario.plan()))).toEqual(garbageCollect(scenario));
      }),
      { numRuns: sized(50, 2000) },
    );
  });

  it('leave every kept tag whole, and nothing to do', () => {
    fc.assert(
      fc.property(scenariosOfAllAges, fc.nat({ max: 3 }), (scenario, keepTagRevisions) => {
        const after = scenario.copy().apply(scenario.plan({ keepTagRevisions }));
        for (const [name, target] of scenario.tags) {
          const repository = name.slice(0, name.lastIndexOf(':'));
          expect(missingFor(after, repository, target, scenario)).toEqual([]);
        }
        expect(danglingIn(after, scenario)).toEqual([]);
        expect(shortDeletions(after.plan({ keepTagRevisions }))).toEqual([]);
      }),
      { numRuns: sized(30, 300) },
    );
  });

  it('do not depend on the order of the listing, on how it is stored or on what is listed twice', () => {
    fc.assert(
      fc.property(
        scenariosOfAllAges.chain((scenario) =>
          fc.tuple(
            fc.constant(scenario),
            fc.shuffledSubarray([...scenario.keys.keys()], { minLength: scenario.keys.size }),
            fc.nat({ max: scenario.keys.size }),
          ),
        ),
        ([scenario, order, cut]) => {
          const whole = scenario.plan();
          const halves = scenario.inventory(order.slice(0, cut));
          halves.load(scenario.inventory(order.slice(Math.max(0, cut - 3))).toBytes());
          const other = scenario.plan({}, { inventory: halves });
          expect(deletionsOf(other)).toEqual(deletionsOf(whole));
          expect([other.hash, other.totals, other.verdict]).toEqual([
            whole.hash,
            whole.totals,
            whole.verdict,
          ]);
        },
      ),
      { numRuns: sized(30, 300) },
    );
  });

  it('never name what is young', () => {
    fc.assert(
      fc.property(scenariosOfAllAges, (scenario) => {
        expect(
          deletionsOf(scenario.plan()).filter(({ key }) => scenario.keys.get(key)!.modified >= NOW),
        ).toEqual([]);
      }),
      { numRuns: sized(30, 300) },
    );
  });

  it('leave nothing that refers to what is gone, wherever they are cut', () => {
    fc.assert(
      fc.property(scenariosOfAllAges, fc.nat({ max: 40 }), (scenario, most) => {
        expect(danglingIn(scenario.copy().apply(scenario.plan(), most), scenario)).toEqual([]);
        expect(danglingIn(scenario.copy().apply(scenario.plan({ maxDeletes: most })), scenario)).toEqual([]);
      }),
      { numRuns: sized(30, 300) },
    );
  });

  it('of run after run have the same result as one without grace, even when tombstones get lost', () => {
    fc.assert(
      fc.property(scenarios, fc.infiniteStream(fc.nat({ max: 5 })), (start, losses) => {
        const scenario = start.copy();
        let tombstones: { key: string; since: number }[] = [];
        expect(shortDeletions(start.plan(SEVERAL_RUNS))).toEqual([]);
        for (let run = 0; run < 30; run++) {
          const before = scenario.copy();
          const kept = run < 6 ? tombstones.filter(() => losses.next().value !== 0) : tombstones;
          const plan = scenario.plan({ ...SEVERAL_RUNS, now: NOW + run * 25 * HOUR }, { before: kept });
          tombstones = [...plan.tombstones(true)];
          expect(tombstones.map(({ key }) => key)).toEqual(tombstones.map(({ key }) => key).toSorted());
          scenario.apply(plan);
          expect(danglingIn(scenario, before)).toEqual([]);
        }
        expect(tombstones).toEqual([]);
        expect([...scenario.keys.keys()]).toEqual([...start.copy().apply(start.plan()).keys.keys()]);
      }),
      { numRuns: sized(10, 100) },
    );
  });

  it('leave a frozen repository as it is, with all that it links', () => {
    fc.assert(
      fc.property(scenariosOfAllAges, fc.nat(), (scenario, choice) => {
        const all = [...remaining(scenario).manifests];
        fc.pre(all.length > 0);
        const [repository, digest] = all[choice % all.length]!.split('@') as [string, string];
        scenario.manifests.set(digest, { unreadable: 'cut' });
        const plan = scenario.plan();
        expect(plan.frozen.map((frozen) => frozen.repository)).toContain(repository);
        const linked = new Set<string>();
        for (const key of scenario.keys.keys()) {
          const parsed = parseStorageKey(ROOT, key);
          if ('repository' in parsed && parsed.repository === repository && 'digest' in parsed) {
            linked.add(blobKey(ROOT, parsed.digest)).add(key);
          }
        }
        expect(deletionsOf(plan).filter(({ key }) => linked.has(key))).toEqual([]);
      }),
      { numRuns: sized(20, 200) },
    );
  });
});
