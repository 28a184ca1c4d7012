import { isDeepStrictEqual } from 'node:util';
import type { ClusterRecord } from '@cairn/shared/cluster/record';
import { NO_RUNS } from '@cairn/shared/update-status/runs/run';
import { describe, expect, it } from 'vitest';
import { type Service, SERVICE } from '../../../helpers/update-status/watched-cluster.ts';
import { chronicleOf, FLEET } from '../../../helpers/update-status/watched-fleet.ts';

const STARTED = 'UpdateStarted/START';
const RECOVERED = 'UpdateRecovered/START';
const COMPLETED = 'UpdateCompleted/START';
const STALLED = 'UpdateStalled/START/NoNodeProgress';

/** News in order, states with the minute of their begin, and minutes of the control plane and of the whole. */
const EXPECTED: Readonly<Record<string, ReturnType<typeof chronicleOf>>> = {
  'all is well': {
    news: [STARTED, COMPLETED],
    states: 'control-plane 0, workers 55, completed 85',
    took: '4.14.1 55 85',
  },
  'a drain hangs for 100 minutes': {
    news: [STARTED, 'NodeStuck/START/worker-002/Draining', STALLED, RECOVERED, COMPLETED],
    states: 'control-plane 0, workers 55, stalled 105, workers 145, completed 185',
    took: '4.14.1 55 185',
  },
  'a node never comes back': {
    news: [STARTED, 'NodeStuck/START/worker-001/Rebooting', STALLED],
    states: 'control-plane 0, workers 55, stalled 105',
    took: '4.14.1 55 -',
  },
  'an operator takes 90 minutes': {
    news: [
      STARTED,
      'UpdateStalled/START/NoOperatorProgress',
      'UpdateStalled/START/OverEstimate',
      RECOVERED,
      COMPLETED,
    ],
    states: 'control-plane 0, slow 40, stalled 45, control-plane 105, workers 145, completed 175',
    took: '4.14.1 142 175',
  },
  'a node is degraded for a while': {
    news: [
      STARTED,
      'NodeStuck/START/worker-005/Degraded',
      'UpdateStalled/START/PoolBlocked',
      RECOVERED,
      COMPLETED,
    ],
    states: 'control-plane 0, stalled 50, workers 60, completed 85',
    took: '4.14.1 55 85',
  },
  'a pool is paused midway': {
    news: [STARTED, COMPLETED],
    states: 'control-plane 0, held 55, workers 180, completed 220',
    took: '4.14.1 55 220',
  },
  'it falls silent': {
    news: [STARTED, 'UpdateSilent/START', RECOVERED, COMPLETED],
    states: 'control-plane 0, silent 55, completed 150',
    took: '4.14.1 55 150',
  },
  // It is silent, but no look is due before the news of it would be.
  'a single node reboots for 50 minutes': {
    news: [STARTED, COMPLETED],
    states: 'control-plane 0, completed 85',
    took: '4.14.1 81 85',
  },
  'reports have no nodes': {
    news: [STARTED, COMPLETED],
    states: 'control-plane 0, workers 55, completed 90',
    took: '4.14.1 55 90',
  },
  'another update supersedes it': {
    news: [
      STARTED,
      'NodeStuck/START/worker-001/Draining',
      STALLED,
      'UpdateSilent/START',
      RECOVERED,
      'UpdateStarted/2026-11-16T11:20:00.000Z',
      'UpdateCompleted/2026-11-16T11:20:00.000Z',
    ],
    states:
      'control-plane 0, workers 55, stalled 95, silent 165, control-plane 200, workers 255, completed 285',
    took: '4.14.2 55 85, 4.14.1 55 -',
  },
  'reports are lost, doubled and late': {
    news: [STARTED, 'NodeStuck/START/worker-002/Draining', STALLED, RECOVERED, COMPLETED],
    states: 'control-plane 2, slow 55, workers 65, stalled 120, workers 247, completed 289',
    took: '4.14.1 55 285',
  },
  '100 reports of 60 nodes come in any order': {
    news: [STARTED, COMPLETED],
    states: 'workers 230, completed 233',
    took: '4.14.1 55 216',
  },
};

const taking =
  (change: (record: ClusterRecord, former: ClusterRecord | null) => ClusterRecord): Service['take'] =>
  (former, arrival) =>
    change(SERVICE.take(former, arrival), former);

const withRuns = (
  record: ClusterRecord,
  change: (runs: ClusterRecord['runs']['recent']) => ClusterRecord['runs']['recent'],
): ClusterRecord => ({ ...record, runs: { ...record.runs, recent: change(record.runs.recent) } });

/** What a service with this bug would do. */
const BUGS: Readonly<Record<string, Partial<Service>>> = {
  'the report that came last holds, whenever it was collected': {
    take: (former, { facts, ...arrival }) =>
      SERVICE.take(former, { ...arrival, facts: { ...facts, collectedAt: arrival.receivedAt } }),
  },
  'a late report is thrown away': {
    take: (former, arrival) =>
      former !== null && arrival.facts.collectedAt! < former.facts.collectedAt!
        ? former
        : SERVICE.take(former, arrival),
  },
  'a report forgets what former ones proved': {
    take: (former, arrival) => SERVICE.take(former && { ...former, runs: NO_RUNS }, arrival),
  },
  'only the newest update is kept': {
    take: taking((record) => withRuns(record, (runs) => runs.slice(0, 1))),
  },
  'what nodes went through is forgotten': {
    take: taking((record) => withRuns(record, (runs) => runs.map((run) => ({ ...run, pools: [] })))),
  },
  'what operators went through is forgotten': {
    take: taking((record) => withRuns(record, (runs) => runs.map((run) => ({ ...run, operators: [] })))),
  },
  'reports are received when they were collected': {
    take: taking((record) =>
      withRuns(record, (runs) =>
        runs.map((run) => ({ ...run, points: run.points.map((one) => ({ ...one, receivedAt: one.at })) })),
      ),
    ),
  },
  'every report counts, also of the same moment': {
    take: (former, { facts, receivedAt }) => {
      const collectedAt = new Date(
        Date.parse(facts.collectedAt!) + (Date.parse(receivedAt) % 977),
      ).toISOString();
      return SERVICE.take(former, { facts: { ...facts, collectedAt }, receivedAt });
    },
  },
  'nodes that were not sent are taken for updated': {
    take: (former, { facts, ...arrival }) =>
      SERVICE.take(former, { ...arrival, facts: { ...facts, nodes: facts.nodes ?? [] } }),
  },
  'a paused pool is taken for one that is not': {
    take: (former, { facts, ...arrival }) => {
      const pools = facts.pools!.map((pool) => ({ ...pool, paused: false }));
      return SERVICE.take(former, { ...arrival, facts: { ...facts, pools } });
    },
  },
  'degraded nodes are not noticed': {
    take: (former, { facts, ...arrival }) => {
      const nodes = facts.nodes?.map((node) =>
        node.machineConfig.state === 'Degraded'
          ? { ...node, machineConfig: { ...node.machineConfig, state: 'Done' } }
          : node,
      );
      return SERVICE.take(former, { ...arrival, facts: { ...facts, nodes: nodes ?? null } });
    },
  },
  'what was told is not kept': {
    look: (log, record, now) => {
      const looked = SERVICE.look(log, record, now);
      return { ...looked, log: log ?? looked.log };
    },
  },
  'nobody looks without a report': {
    look: (log, record, now) => ({ ...SERVICE.look(log, record, now), againAt: null }),
  },
  'an alarm ends without a word': {
    look: (log, record, now) => SERVICE.look(log && { ...log, alarm: null }, record, now),
  },
  'a stuck node is told in every report': {
    look: (log, record, now) => SERVICE.look(log && { ...log, stuck: [] }, record, now),
  },
  'one look is late by an hour': {
    look: (log, record, now) => {
      const looked = SERVICE.look(log, record, now);
      return { ...looked, againAt: looked.againAt && looked.againAt + 3600_000 };
    },
  },
  'a cluster is new in each look': { look: (_, record, now) => SERVICE.look(null, record, now) },
};

describe('update-notifications of a made-up fleet', () => {
  it.each(Object.keys(FLEET))('are those that they should be, each once, when %s', (name) => {
    const chronicle = chronicleOf(name);
    expect(chronicle).toEqual(EXPECTED[name]);
    expect(new Set(chronicle.news).size).toBe(chronicle.news.length);
  });

  it.each(Object.entries(BUGS))('would be others if %s', (_, bug) => {
    const isFound = Object.keys(FLEET).some((name) => {
      try {
        const chronicle = chronicleOf(name, { ...SERVICE, ...bug });
        return !isDeepStrictEqual(chronicle, EXPECTED[name]);
      } catch {
        return true;
      }
    });
    expect(isFound).toBe(true);
  });
});
