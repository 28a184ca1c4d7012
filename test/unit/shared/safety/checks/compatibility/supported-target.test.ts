import { describe, expect, it } from 'vitest';
import { aCluster } from '../../../../../helpers/cluster/clusters.ts';
import { CALENDAR } from '../../../../../helpers/path/builders.ts';
import { foundAlong } from '../../../../../helpers/plan/assumed-plans.ts';
import { reportOn } from '../../../../../helpers/plan/reports.ts';

function planAlong(...path: string[]) {
  return reportOn(aCluster({}, path[0]), foundAlong(path), {}, { calendar: CALENDAR });
}

const supportOf = (plan: ReturnType<typeof planAlong>): string[] =>
  plan.hops.map(({ conditions }) => {
    const { reason, effect } = conditions.find(({ type }) => type === 'SupportedTarget')!;
    return `${reason} ${effect}`;
  });

describe('the support of a target', () => {
  it('case 72: an ended target is a warning with a step, and the verdict is not ready', () => {
    const plan = planAlong('4.14.20', '4.15.51');
    expect(supportOf(plan)).toEqual(['TargetUnsupported warn']);
    expect(plan.verdict).toBe('ready-with-warnings');
    const places = plan.plan.steps.map(({ kind, resolves = [] }) =>
      kind === 'update'
        ? kind
        : resolves.some(({ reason }) => reason === 'TargetUnsupported')
          ? 'resolves'
          : '',
    );
    expect(places.indexOf('resolves')).toBeGreaterThanOrEqual(0);
    expect(places.indexOf('resolves')).toBeLessThan(places.indexOf('update'));
  });

  it('is a warning for a patch of an ended minor too', () => {
    const plan = planAlong('4.14.20', '4.14.30');
    expect(supportOf(plan)).toEqual(['TargetUnsupported warn']);
    expect(plan.verdict).toBe('ready-with-warnings');
  });

  it('an ended minor on the path is a note, which changes no verdict', () => {
    const plan = planAlong('4.16.20', '4.17.51', '4.18.55');
    expect(supportOf(plan)).toEqual(['StopAtUnsupportedMinor info', 'AsExpected ok']);
    expect(plan.verdict).toBe('ready');
  });

  it('can be accepted, and then stays listed', () => {
    const answer = foundAlong(['4.14.20', '4.15.51']);
    const options = { accept: ['TargetUnsupported'] };
    const plan = reportOn(aCluster({}, '4.14.20'), answer, options, { calendar: CALENDAR });
    expect(plan.verdict).toBe('ready');
    expect(supportOf(plan)).toEqual(['TargetUnsupported warn']);
  });

  it('names the last day and the term', () => {
    const { hops } = planAlong('4.15.51', '4.16.55');
    const condition = hops[0]!.conditions.find(({ type }) => type === 'SupportedTarget');
    expect(condition).toMatchObject({
      status: 'True',
      message: '4.16 is supported until 2027-06-27 (EUS term 2)',
    });
  });
});
