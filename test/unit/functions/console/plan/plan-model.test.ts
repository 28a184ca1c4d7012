import { describe, expect, it } from 'vitest';
import { commandsOf, filesOf } from '../../../../../functions/console/plan/actions.tsx';
import { assumedPlan } from '../../../../../functions/console/plan/assumed-plan.ts';
import {
  isBrokenAtTarget,
  shownPlan,
  verdictInWords,
  type PlanModel,
  type ShownPlan,
} from '../../../../../functions/console/plan/plan-model.ts';
import { clusterModel } from '../../../../../functions/console/plan/solve-cluster.ts';
import { DEFAULTS } from '../../../../../functions/console/state/url-state.ts';
import { imageSetList } from '../../../../../functions/paths/files.ts';
import { ALL_SUPPORTED, aCluster, anOperator, withHistory } from '../../../../helpers/cluster/clusters.ts';
import { ask, releases } from '../../../../helpers/path/releases.ts';
import { served, SYNCED_AT } from './served.ts';

const known = releases({
  'stable-4.16': ['4.14.8 > 4.14.30', '4.14.30 > 4.15.20', '4.15.20 > 4.16.9 AlwaysSlow,Rare'],
});
const { directory } = known;
const cluster = aCluster({ clusterVersion: withHistory(['4.14.8 C']) });

async function found(to = '4.16.9') {
  const answer = await ask(known, '4.14.8', to, [], { risk: 'all' });
  if (!answer.found) throw new Error('there is a path');
  return answer;
}

async function shownFromVersions(pause: boolean, nodes = 6, to?: string): Promise<ShownPlan> {
  const answer = await found(to);
  return shownPlan(
    {
      kind: 'paths',
      graph: await known.prepare(answer.channels),
      paths: [answer.upgrade],
      found: {
        arch: 'amd64',
        warnings: ['old data'],
        syncedAt: SYNCED_AT,
        directory,
        targetNotes: [],
        cluster: null,
      },
      resolved: {},
      strategy: 'rolling',
      planOf: (path, count, strategy) =>
        assumedPlan(answer, path, {
          nodes: count,
          strategy,
          calendar: ALL_SUPPORTED,
          targetReason: null,
          newestPatch: null,
        }),
    },
    { ...DEFAULTS, from: '4.14.8', to: '4.16.9', risks: 'allow', pause, nodes },
  )!;
}

const fromVersions = async (...asked: Parameters<typeof shownFromVersions>): Promise<PlanModel> =>
  (await shownFromVersions(...asked)).model;

async function fromCluster(pause: boolean, facts = cluster): Promise<PlanModel> {
  const answer = served(facts, await found(), { strategy: pause ? 'control-plane-only' : 'rolling' });
  if (!answer.path.found) throw new Error('there is a path');
  const graph = await known.prepare(answer.path.channels);
  return clusterModel('berlin', answer, answer.path, { graph, directory });
}

describe('a plan', () => {
  it.each([true, false])('is the same from versions and from a cluster, paused: %s', async (pause) => {
    const [outlined, stored] = [await fromVersions(pause), await fromCluster(pause)];
    const common = ({ from, to, arch, path, channelPlan, total, isPaused, syncedAt }: PlanModel) => ({
      ...{ from, to, arch, path, channelPlan, total, isPaused, syncedAt },
    });
    expect(common(stored)).toMatchObject(common(outlined));
    const figures = ({ hops, rollouts, reboots }: PlanModel) => ({
      hops: hops.map(
        ({ verdict: _verdict, findings: _findings, removals: _removals, answers: _answers, ...hop }) => hop,
      ),
      rollouts: rollouts.map(({ version, beforeHop, minutes }) => ({ version, beforeHop, minutes })),
      reboots: reboots?.planned,
    });
    expect(figures(stored)).toMatchObject(figures(outlined));
  });

  it('says how many reboots the other way of rolling takes', async () => {
    expect((await fromVersions(true)).reboots).toEqual({ planned: 1, note: '3 without pausing' });
    expect((await fromVersions(false)).reboots).toEqual({ planned: 3, note: '1 with pausing' });
    expect((await fromVersions(true, 3)).reboots).toBeNull();
    expect((await fromCluster(true)).reboots).toEqual({ planned: 1, note: '3 without pausing' });
    expect((await fromCluster(false)).reboots).toEqual({ planned: 3, note: '' });
  });

  it('of a cluster has what its checks found, without what is well', async () => {
    const logging = anOperator('logging', {
      properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.15' }],
    });
    const { hops, report } = await fromCluster(false, { ...cluster, operators: [logging] });
    expect(report).toMatchObject({ id: 'berlin', verdict: 'action-required' });
    const findings = hops.map((hop) => hop.findings.map(({ type }) => type));
    expect(findings[0]).not.toContain('OperatorsCompatible');
    expect(findings[2]).toContain('OperatorsCompatible');
    expect(hops.flatMap((hop) => hop.findings).filter(({ effect }) => effect === 'ok')).toEqual([]);
  });

  it('of a cluster separates notes from warnings', async () => {
    const { notes, warnings } = await fromCluster(true);
    expect(notes).toContain('Pause only worker pools, never the control plane pool');
    expect(warnings).toEqual([]);
  });

  it('from versions names what to acknowledge and removed APIs, without a verdict', async () => {
    const { hops, report, warnings } = await fromVersions(true, 3);
    expect(report).toBeNull();
    expect(hops.map(({ verdict, findings }) => [verdict, findings.map(({ reason }) => reason)])).toEqual([
      [null, []],
      [null, []],
      [null, ['AdminAckRequired', 'AdminAckCannotTell']],
    ]);
    expect(hops.map(({ removals }) => removals.length)).toEqual([0, 0, 2]);
    // Three nodes leave no workers that could be behind.
    expect(hops.map(({ skew }) => skew)).toEqual([null, null, null]);
    expect(warnings).toEqual(['old data', expect.stringContaining('Pausing workers saves no reboot')]);
  });

  it.each([
    ['4.14.8', 'Already there'],
    ['4.14.30', 'Path found'],
    ['4.16.9', 'Path found with 1 conditional update'],
  ])('to %s is called “%s”', async (to, words) => {
    expect(verdictInWords(await fromVersions(false, 6, to))).toBe(words);
  });
});

it('a cluster at its target is broken unless it is ready, and an assumed one is not', async () => {
  const { mirrorOperators, ...there } = await fromVersions(false, 6, '4.14.8');
  const report = (verdict: 'ready' | 'blocked') => ({
    id: 'prod',
    verdict,
    nextStep: '',
    mirrorOperators: mirrorOperators!,
  });
  const models = [there, { ...there, report: report('ready') }, { ...there, report: report('blocked') }];
  expect(models.map(isBrokenAtTarget)).toEqual([false, false, true]);
});

describe('what a plan is handed over as', () => {
  it('names each release once, and the current one only when that is wanted', async () => {
    const model = await fromVersions(true);
    const lines = (includeCurrent: boolean) => filesOf(model, includeCurrent).pullSpecs.trim().split('\n');
    expect(lines(false)).toEqual(model.hops.map(({ payload }) => payload));
    expect(lines(true)).toEqual(model.path.map(({ payload }) => payload));
  });

  it('has no file if there is nothing to mirror', async () => {
    const { path, arch } = await fromVersions(true);
    expect(filesOf({ path: path.slice(0, 1), arch, directory, mirrorOperators: null }, false)).toEqual({
      files: [],
      notes: [],
      pullSpecs: '',
    });
  });

  it('has the operators of a cluster as the API has them, and says so where there is no cluster', async () => {
    const logging = anOperator('logging', { components: ['logging.openshift-logging'] });
    const facts = { ...cluster, operators: [logging], subscriptions: null };
    const answer = await found();
    const answers = [{ name: null, arch: 'amd64', answer, directory }] as const;
    const operators = served(facts, answer).mirrorOperators;
    const ofCluster = filesOf(await fromCluster(false, facts), false);
    expect(ofCluster.files).toEqual(imageSetList(answers, { includeSource: false, operators }));
    expect(ofCluster.files.map(({ version }) => version)).toEqual(['4.14.30', '4.15.20', '4.16.9', null]);
    expect(ofCluster.files.at(-1)!.text).toContain('        - name: "logging"\n');
    const { files } = filesOf(await fromVersions(false), false);
    expect(files).toEqual(imageSetList(answers, { includeSource: false }));
    expect(files[0]!.text).toMatch(/^# Platform content only: /m);
  });

  it('explains the order of the files, missing channels and signatures', async () => {
    const model = await fromVersions(false);
    expect(filesOf(model, false).notes).toEqual(['One file per release: mirror the files in their order']);
    const elsewhere = releases({ 'stable-4.16': ['4.14.9 > 4.16.10'] }).directory;
    expect(filesOf({ ...model, directory: elsewhere }, false)).toMatchObject({
      files: [],
      notes: [
        'oc-mirror cannot find 4.14.30, 4.15.20, 4.16.9 in any channel. Copy the pull specs and mirror them by digest',
      ],
    });
    const signed = releases({ 'stable-4.21': ['4.21.0 > 4.21.1'] });
    const answer = await ask(signed, '4.21.0', '4.21.1');
    const path = answer.found ? answer.upgrade.path : [];
    expect(
      filesOf({ path, arch: 'amd64', directory: signed.directory, mirrorOperators: null }, false).notes,
    ).toEqual([expect.stringContaining('Nodes from 4.21 on reject a release image without its signature')]);
  });

  it('has every command below what it is for, and no text that could be one', async () => {
    const details = await (await fromVersions(false)).details();
    const steps = [{ ...details.steps[0]!, text: 'one\nrm -rf /', command: 'oc whoami' }];
    expect(commandsOf({ steps })).toBe('# one rm -rf /\noc whoami\n');
    expect(commandsOf(details)).toContain('\noc adm upgrade --allow-not-recommended --to=4.16.9\n');
  });

  it('is Markdown with what to mirror, the age of the data and the warnings beside it', async () => {
    const markdown = await (await shownFromVersions(true)).markdown();
    expect(markdown).toMatch(/^# Upgrade plan: 4\.14\.8 to 4\.16\.9\n/);
    for (const { payload } of (await fromVersions(true)).hops) expect(markdown).toContain(payload);
    expect(markdown).toContain(`## Update data\n\n- Fetched: ${SYNCED_AT}\n- old data\n`);
  });

  it('is the JSON of the API for the same question', async () => {
    expect((await shownFromVersions(true)).jsonAddress).toBe(
      '/v1/upgrade-paths?to=4.16.9&risk=all&from=4.14.8&arch=amd64&alternatives=3',
    );
    const graph = await known.prepare(['stable-4.16']);
    const solved = { kind: 'cluster', graph, model: await fromCluster(false) } as const;
    expect(shownPlan(solved, { ...DEFAULTS, cluster: 'berlin' })?.jsonAddress).toBe(
      '/v1/clusters/berlin/upgrade-plan?format=json',
    );
  });
});
