import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { describe, expect, it } from 'vitest';
import { aCluster, aClusterVersion, anOperator } from '../../../helpers/cluster/clusters.ts';
import { graphOf, type Answer } from '../../../helpers/path/answers.ts';
import { ask, releases } from '../../../helpers/path/releases.ts';
import { outline } from '../../../helpers/plan/plan-outlines.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';
import { listRecordedPairs } from '../../../helpers/upstream/cincinnati-stub.ts';
import { isRecordedDataPresent, RECORDED_UPSTREAM } from '../../../helpers/upstream/recorded-data.ts';

if (!isRecordedDataPresent)
  console.log('recorded graphs are not at ../shared/data: plans along them are not tested');

const logging = anOperator('logging', {
  properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.15' }],
});

/** Without the waiting after each hop. */
function outlineOf({ plan }: UpgradePlan): string[] {
  return outline(plan.steps.filter(({ kind, hop }) => kind !== 'verify' || hop === null));
}

function minorsOf({ hops }: UpgradePlan): string[] {
  return hops.map(({ to }) => to.split('.').slice(0, 2).join('.'));
}

describe.skipIf(!isRecordedDataPresent)(
  'plans between releases with extended support, on recorded graphs',
  () => {
    const graphs = isRecordedDataPresent
      ? listRecordedPairs(RECORDED_UPSTREAM)
          .filter(
            ({ arch, channel }) => arch === 'amd64' && /^(?:eus|stable)-4\.1[4-9]$|-4\.20$/.test(channel),
          )
          .map(({ channel }) => {
            const file = join(RECORDED_UPSTREAM, `${channel}.amd64.json.gz`);
            return [
              channel,
              graphOf(JSON.parse(gunzipSync(readFileSync(file)).toString()) as Answer),
            ] as const;
          })
      : [];
    const recorded = releases(Object.fromEntries(graphs));
    const options = { strategy: 'control-plane-only' } as const;

    it('4.14 to 4.16 is whole', async () => {
      const facts = aCluster({ operators: [logging] });
      const report = reportOn(facts, await ask(recorded, '4.14.8', '4.16', 'eus-4.16'), options);
      expect(minorsOf(report)).toEqual(['4.14', '4.15', '4.16']);
      expect(report.hops.map(({ verdict }) => verdict)).toEqual(['allowed', 'allowed', 'will-block']);
      expect(report.verdict).toBe('action-required');
      expect(outlineOf(report)).toEqual([
        'pause 0 worker',
        'update 0 eus-4.16',
        'update 0',
        'backup 1',
        'update 1',
        'update-operator 2 openshift-logging/logging',
        'ack 2 ack-4.15-kube-1.29-api-removals-in-4.16',
        'backup 2',
        'update 2',
        'unpause end worker',
        'verify end worker',
        'verify end',
      ]);
      expect(report.duration.total).toEqual({ min: 117, expected: 180, max: 295, worst: 375 });
      expect(report.plan.workerRollouts.map(({ beforeHop, minutes }) => [beforeHop, minutes])).toEqual([
        [null, { min: 15, expected: 30, max: 60 }],
      ]);
      expect(report.plan.pools.find(({ pool }) => pool === 'worker')).toMatchObject({ rebootsSaved: 2 });
    });

    it('4.16 to 4.20 is whole, with one stop of the workers on the way', async () => {
      const facts = aCluster({}, '4.16.12');
      const report = reportOn(facts, await ask(recorded, '4.16.12', '4.20'), options);
      expect(minorsOf(report)).toEqual(['4.17', '4.18', '4.19', '4.20']);
      expect(report.hops.map(({ verdict }) => verdict)).toEqual([
        'allowed',
        'allowed',
        'will-block',
        'will-block',
      ]);
      // The plan itself updates the workers at 4.18, so kubelets are in the way of no hop.
      expect(report.hops.map(({ upgradeable: { reason } }) => reason)).toEqual([
        'AsExpected',
        'AsExpected',
        'AdminAckRequired',
        'AdminAckRequired',
      ]);
      const steps = outlineOf(report);
      expect(steps.filter((step) => !/^update \d .*-4/.test(step))).toEqual([
        'backup 0',
        'pause 0 worker',
        'update 0',
        'backup 1',
        'update 1',
        'unpause 2 worker',
        'roll-pool 2 worker',
        'ack 2 ack-4.18-kube-1.32-api-removals-in-4.19',
        'backup 2',
        'pause 2 worker',
        'update 2',
        'ack 3 ack-4.19-admissionregistration-v1beta1-api-removals-in-4.20',
        'backup 3',
        'update 3',
        'unpause end worker',
        'verify end worker',
        'verify end',
      ]);
      expect(steps.filter((step) => /^update \d .*-4/.test(step))).toHaveLength(2);
      expect(report.duration.total).toEqual({ min: 180, expected: 240, max: 370, worst: 500 });
      expect(report.plan.workerRollouts.map(({ beforeHop }) => beforeHop)).toEqual([2, null]);
      expect(report.hops.flatMap(({ pools }) => pools).every(({ isWithinLimit }) => isWithinLimit)).toBe(
        true,
      );
    });

    it('rolls with every hop when nothing is to be paused', async () => {
      const report = reportOn(aCluster({}, '4.16.12'), await ask(recorded, '4.16.12', '4.20'));
      const kinds = new Set(report.plan.steps.map(({ kind }) => kind));
      expect([...kinds].toSorted()).toEqual(['ack', 'backup', 'check', 'roll-pool', 'update', 'verify']);
      expect(report.plan.workerRollouts).toHaveLength(4);
    });

    it('takes the channel of the cluster as it is', async () => {
      const clusterVersion = aClusterVersion({ channel: 'eus-4.16' });
      const report = reportOn(
        aCluster({ clusterVersion }),
        await ask(recorded, '4.14.8', '4.16', 'eus-4.16'),
        options,
      );
      const commands = report.plan.steps.map(({ command }) => command ?? '');
      expect(commands.filter((command) => command.includes('upgrade channel'))).toEqual([]);
    });
  },
);
