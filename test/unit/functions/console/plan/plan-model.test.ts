import { outlinePlan } from '@cairn/shared/plan/assumed-facts';
import { outlineWorkings } from '@cairn/shared/plan/outline-markdown';
import { describe, expect, it } from 'vitest';
import { commandsOf, filesOf, planJson } from '../../../../../functions/console/plan/actions.tsx';
import {
  outlineModel,
  verdictInWords,
  type PlanModel,
} from '../../../../../functions/console/plan/plan-model.ts';
import { clusterModel } from '../../../../../functions/console/plan/solve-cluster.ts';
import { imageSetFile } from '../../../../../functions/paths/files.ts';
import { aCluster, anOperator, withHistory } from '../../../../helpers/cluster/clusters.ts';
import { ask, releases } from '../../../../helpers/path/releases.ts';
import { served, SYNCED_AT } from './served.ts';

const known = releases({
  'stable-4.16': ['4.14.8 > 4.14.30', '4.14.30 > 4.15.20', '4.15.20 > 4.16.9 AlwaysSlow,Rare'],
});
const cluster = aCluster({ clusterVersion: withHistory(['4.14.8 C']) });

async function found(to = '4.16.9') {
  const answer = await ask(known, '4.14.8', to, [], { risk: 'all' });
  if (!answer.found) throw new Error('there is a path');
  return answer;
}

async function fromVersions(pause: boolean, nodes = 6): Promise<PlanModel> {
  const { upgrade } = await found();
  const strategy = pause ? 'control-plane-only' : 'rolling';
  const question = { ...upgrade, nodes, strategy, policy: 'openshift' } as const;
  const way = { upgrade, arch: 'amd64', warnings: [], syncedAt: SYNCED_AT } as const;
  return outlineModel(way, outlinePlan(question), async () => outlineWorkings(question), pause);
}

async function fromCluster(pause: boolean, facts = cluster): Promise<PlanModel> {
  const answer = served(facts, await found(), { strategy: pause ? 'control-plane-only' : 'rolling' });
  if (!answer.path.found) throw new Error('there is a path');
  return clusterModel('berlin', answer, answer.path, await known.prepare(answer.path.channels));
}

describe('a plan', () => {
  it.each([true, false])('is the same from versions and from a cluster, paused: %s', async (pause) => {
    const [outlined, stored] = [await fromVersions(pause), await fromCluster(pause)];
    const common = ({ from, to, arch, path, channelPlan, total, isHeldBack, syncedAt }: PlanModel) => ({
      ...{ from, to, arch, path, channelPlan, total, isHeldBack, syncedAt },
    });
    expect(common(stored)).toMatchObject(common(outlined));
    const figures = ({ hops, rollouts, reboots }: PlanModel) => ({
      hops: hops.map(({ gates: _gates, report: _report, ...hop }) => hop),
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
    const findings = hops.map((hop) => hop.report!.findings.map(({ type }) => type));
    expect(findings[0]).not.toContain('OperatorsCompatible');
    expect(findings[2]).toContain('OperatorsCompatible');
    expect(hops.flatMap((hop) => hop.report!.findings).filter(({ effect }) => effect === 'ok')).toEqual([]);
  });

  it('of a cluster tells what is only worth knowing apart from warnings', async () => {
    const { notes, warnings } = await fromCluster(true);
    expect(notes).toContain('Only worker pools may be paused, the control plane never');
    expect(warnings).toEqual([]);
  });

  it.each([
    ['4.14.8', 'Already there'],
    ['4.14.30', 'Path found'],
    ['4.16.9', 'Path found with 1 conditional update'],
  ])('to %s is called “%s”', async (to, words) => {
    const { upgrade } = await found(to);
    const outline = outlinePlan({ ...upgrade, nodes: 6, strategy: 'rolling', policy: 'openshift' });
    const way = { upgrade, arch: 'amd64', warnings: [], syncedAt: null } as const;
    const workings = () => Promise.reject(new Error('nobody asked'));
    expect(verdictInWords(outlineModel(way, outline, workings, false))).toBe(words);
  });
});

describe('what a plan is handed over as', () => {
  it('names each release once, and the current one only when that is wanted', async () => {
    const model = await fromVersions(true);
    const lines = (includeCurrent: boolean) => filesOf(model, includeCurrent).pullSpecs.trim().split('\n');
    expect(lines(false)).toEqual(model.hops.map(({ payload }) => payload));
    expect(lines(true)).toEqual(model.path.map(({ payload }) => payload));
  });

  it('says that there is nothing to mirror', async () => {
    const { path, arch } = await fromVersions(true);
    expect(filesOf({ path: path.slice(0, 1), arch, mirrorOperators: null }, false)).toEqual({
      imageSet: null,
      configuration: '# nothing to mirror\n',
      pullSpecs: '',
    });
  });

  it('has the operators of a cluster as the API has them, and says so where there is no cluster', async () => {
    const logging = anOperator('logging', { components: ['logging.openshift-logging'] });
    const facts = { ...cluster, operators: [logging], subscriptions: null };
    const answer = await found();
    const view = imageSetFile([{ name: null, arch: 'amd64', answer }], {
      includeSource: false,
      operators: served(facts, answer).mirrorOperators,
    });
    expect(filesOf(await fromCluster(false, facts), false).configuration).toBe(view.body);
    expect(view.body).toContain('        - name: "logging"\n');
    const { configuration } = filesOf(await fromVersions(false), false);
    expect(configuration).toMatch(/^# Platform content only: /m);
    expect(configuration).toBe(
      imageSetFile([{ name: null, arch: 'amd64', answer }], { includeSource: false }).body,
    );
  });

  it('has every command below what it is for, and no text that could be one', async () => {
    const workings = await (await fromVersions(false)).workings();
    const steps = [{ ...workings.steps[0]!, text: 'one\nrm -rf /', command: 'oc whoami' }];
    expect(commandsOf({ steps })).toBe('# one rm -rf /\noc whoami\n');
    expect(commandsOf(workings)).toContain('\noc adm upgrade --to 4.16.9 --allow-not-recommended\n');
  });

  it('is JSON with versions, hops and images', async () => {
    const json = JSON.parse(await planJson(await fromVersions(true), 'https://cairn.example/?from=4.14.8'));
    expect(json).toMatchObject({
      from: '4.14.8',
      path: ['4.14.8', '4.14.30', '4.15.20', '4.16.9'],
      hops: [{ number: 1 }, { number: 2 }, { number: 3, risks: [{ name: 'AlwaysSlow' }, { name: 'Rare' }] }],
      mirror: [{ version: '4.14.30' }, { version: '4.15.20' }, { version: '4.16.9' }],
      link: 'https://cairn.example/?from=4.14.8',
    });
  });
});
