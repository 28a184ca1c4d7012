import { describe, expect, it } from 'vitest';
import { aCluster } from '../../../../../helpers/cluster/clusters.ts';
import { conditionOf, evaluate, findingsOf } from '../../../../../helpers/cluster/evaluations.ts';
import { ask, releases } from '../../../../../helpers/path/releases.ts';
import { reportOn } from '../../../../../helpers/plan/reports.ts';

const TYPE = 'CurrentVersionAllowed';
const PATH = ['4.14.8', '4.14.30', '4.15.3'];
const ofType = (hops: ReturnType<typeof evaluate>) =>
  hops.map(({ conditions }) => conditions.filter(({ type }) => type === TYPE).length);

describe('a cluster on an excluded version', () => {
  const hops = evaluate(aCluster(), PATH, {}, { isCurrentExcluded: true });

  it('is warned of on the first hop only, and not blocked', () => {
    expect(ofType(hops)).toEqual([1, 0, 0].slice(0, hops.length));
    expect(conditionOf(hops[0]!, TYPE)).toMatchObject({
      status: 'False',
      reason: 'CurrentVersionExcluded',
      effect: 'warn',
      message:
        'The cluster runs 4.14.8, which ignored_openshift_versions excludes. This update leaves it, and no path leads back',
    });
    expect(hops[0]!.verdict).toBe('allowed-with-warnings');
  });

  it('can be accepted by its reason', () => {
    const accept = ['CurrentVersionExcluded'];
    const [first] = evaluate(aCluster(), PATH, { accept }, { isCurrentExcluded: true });
    expect(findingsOf(first!)).toContain('CurrentVersionExcluded warn accepted');
    expect(first!.verdict).toBe('allowed');
  });

  it('without exclusions has no such condition', () => {
    expect(ofType(evaluate(aCluster(), PATH))).toEqual([0, 0]);
  });
});

describe('the plan of such a cluster', () => {
  it('starts from it, warns, and has a step before the first update', async () => {
    const known = releases({ 'stable-4.14': ['4.14.8 > 4.14.30'] }, { excluded: ['4.14.8'] });
    const { verdict, plan } = reportOn(aCluster(), await ask(known, '4.14.8', '4.14.30'));
    expect(verdict).toBe('ready-with-warnings');
    const steps = plan.steps.map(({ kind, resolves = [] }) => [
      kind,
      ...resolves.map(({ reason }) => reason),
    ]);
    const place = steps.findIndex(([, reason]) => reason === 'CurrentVersionExcluded');
    expect(steps[place]).toEqual(['check', 'CurrentVersionExcluded']);
    expect(place).toBeLessThan(steps.findIndex(([kind]) => kind === 'update'));
  });
});
