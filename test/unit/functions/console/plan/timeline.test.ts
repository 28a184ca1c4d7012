import { describe, expect, it } from 'vitest';
import { planModel } from '../../../../../functions/console/plan/plan-model.ts';
import { timelineOf } from '../../../../../functions/console/plan/timeline.tsx';
import { releases } from '../../../../helpers/path/releases.ts';
import { assumedAlong, foundAlong } from '../../../../helpers/plan/assumed-plans.ts';

function modelAlong(path: readonly string[], pause: boolean, nodes = 6) {
  const found = foundAlong(path);
  const { plan, hops, duration } = assumedAlong(found, {
    nodes,
    strategy: pause ? 'control-plane-only' : 'rolling',
  });
  return planModel(
    { ...plan, hops, duration },
    {
      upgrade: found.upgrade,
      arch: 'amd64',
      warnings: [],
      syncedAt: null,
      directory: releases({}).directory,
      details: async () => plan,
      targetNotes: [],
      cluster: null,
    },
  );
}

const rows = (path: readonly string[], pause: boolean, nodes?: number) => {
  const timeline = timelineOf(modelAlong(path, pause, nodes))!;
  const text = (row: typeof timeline.workers) =>
    row.map(({ kind, start, length, version }) => `${kind} ${start}+${length} ${version}`.trim());
  return {
    total: timeline.total,
    controlPlane: text(timeline.controlPlane),
    workers: text(timeline.workers),
    unpauses: timeline.unpauses,
  };
};

describe('a timeline', () => {
  it('rolls out paused workers once after the control plane', () => {
    expect(rows(['4.14.3', '4.15.3', '4.16.3'], true)).toEqual({
      total: 150,
      controlPlane: ['update 0+60 4.15.3', 'update 60+60 4.16.3'],
      workers: ['paused 0+120', 'rollout 120+30 4.16.3'],
      unpauses: [],
    });
  });

  it('has them follow every hop when they are not', () => {
    expect(rows(['4.14.3', '4.15.3', '4.16.3'], false)).toEqual({
      total: 180,
      controlPlane: ['update 0+60 4.15.3', 'update 90+60 4.16.3'],
      workers: ['rollout 60+30 4.15.3', 'rollout 150+30 4.16.3'],
      unpauses: [],
    });
  });

  it('marks where they have to be let go before the way goes on', () => {
    const { workers, unpauses } = rows(['4.14.3', '4.15.3', '4.16.3', '4.17.3'], true);
    expect(unpauses).toEqual([{ at: 120, version: '4.16.3' }]);
    expect(workers).toEqual([
      'paused 0+120',
      'rollout 120+30 4.16.3',
      'paused 150+60',
      'rollout 210+30 4.17.3',
    ]);
  });

  it('has no workers where there are none', () => {
    expect(rows(['4.14.3', '4.15.3'], true, 3)).toMatchObject({ workers: [], unpauses: [] });
  });

  it('is not there without hops, or without their minutes', () => {
    expect(timelineOf(modelAlong(['4.14.3'], true))).toBeNull();
    const model = modelAlong(['4.14.3', '4.15.3'], true);
    const hops = model.hops.map((hop) => ({ ...hop, minutes: null }));
    expect(timelineOf({ ...model, hops })).toBeNull();
  });

  it('shows a rollout whose length is not known', () => {
    const model = modelAlong(['4.14.3', '4.15.3'], false);
    const rollouts = model.rollouts.map((rollout) => ({ ...rollout, minutes: null }));
    expect(timelineOf({ ...model, rollouts })).toMatchObject({ total: 75, workers: [{ length: 15 }] });
  });
});
