import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { UpgradePlan } from '@cairn/shared/plan/plan';
import { planScript } from '@cairn/shared/plan/run-sheet/script';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  aCluster,
  aClusterOperator,
  aClusterVersion,
  aCondition,
  aPool,
} from '../../helpers/cluster/clusters.ts';
import { aHealthCheck } from '../../helpers/cluster/workloads.ts';
import { foundAlong } from '../../helpers/plan/assumed-plans.ts';
import { aReport } from '../../helpers/plan/report-cases.ts';
import { reportOn } from '../../helpers/plan/reports.ts';

/** Stands for `oc`: no cluster exists here. Answers from files, and records every call that changes something. */
const OC = `#!/usr/bin/env bash
case "$*" in
  *clusterID*) cat id ;;
  *status.desired.version*) [ ! -e flaky ] || [ ! -e asked ] || exit 1; touch asked; tail -n 1 desired ;;
  *'state=="Completed"'*) cat completed ;;
  'get '*) ;;
  'adm upgrade --to='*) echo "$*" >> calls; last=\${*: -1}; echo "\${last#--to=}" >> desired ;;
  'adm wait-for-stable-cluster '*) echo "$*" >> calls; cp desired completed ;;
  *) echo "$*" >> calls ;;
esac
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-script-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/oc'), OC);
  chmodSync(join(folder, 'bin/oc'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface ClusterState {
  readonly id?: string;
  readonly desired?: string;
  readonly completed?: readonly string[];
}

function runScript(script: string, { id, desired, completed = [] }: ClusterState = {}) {
  const file = (name: string) => join(folder, name);
  writeFileSync(file('id'), id ?? '00000000-0000-4000-8000-000000000001');
  writeFileSync(file('desired'), `${desired ?? '4.14.8'}\n`);
  writeFileSync(file('completed'), ['4.14.8', ...completed].join('\n'));
  writeFileSync(file('update.sh'), script);
  const { status, stderr, stdout } = spawnSync('bash', ['update.sh'], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
    env: { ...process.env, PATH: `${file('bin')}${delimiter}${process.env['PATH']}` },
  });
  const calls = existsSync(file('calls')) ? readFileSync(file('calls'), 'utf8').trim().split('\n') : [];
  return { status, stderr: stderr.trim(), stdout, calls };
}

/** Without the steps that ask a person. */
function unattended(plan: UpgradePlan): UpgradePlan {
  const asked = new Set(['ack', 'backup', 'check', 'suspend', 'resume']);
  const steps = plan.plan.steps.filter(({ kind }) => !asked.has(kind));
  return { ...plan, plan: { ...plan.plan, steps } };
}

const toNextMinors = () =>
  aReport({ facts: aCluster(), to: '4.16.5', options: { strategy: 'control-plane-only' } });

describe('the script of a plan', () => {
  it('stops without a terminal at the first step that needs a person', async () => {
    const { status, stderr, calls } = runScript(planScript(await toNextMinors()));
    expect({ status, stderr, calls }).toEqual({
      status: 1,
      stderr: 'Stopped: this step needs a person. Run the script again in a terminal.',
      calls: [],
    });
  });

  it('carries out the other steps in order', async () => {
    const { status, stdout, calls } = runScript(planScript(unattended(await toNextMinors())));
    expect(calls).toEqual([
      'patch mcp/worker --type merge -p {"spec":{"paused":true}}',
      'adm upgrade channel stable-4.16 --allow-explicit-channel',
      'adm upgrade --to=4.15.3',
      expect.stringMatching(/^adm wait-for-stable-cluster --minimum-stable-period=5m --timeout=\d+m$/),
      'adm upgrade --to=4.16.5',
      expect.stringMatching(/^adm wait-for-stable-cluster /),
      'patch mcp/worker --type merge -p {"spec":{"paused":false}}',
      expect.stringMatching(/^wait mcp\/worker --for=condition=Updated=True --timeout=\d+m$/),
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain('The cluster is at 4.16.5.');
  });

  it('shows how to suspend health checks, and leaves it to a person', async () => {
    const facts = aCluster({ healthChecks: [aHealthCheck('workers')] });
    const { plan, ...report } = await aReport({ facts, to: '4.15.3' });
    const steps = plan.steps.filter(({ kind }) => kind !== 'check' && kind !== 'backup');
    const { stderr, stdout, calls } = runScript(planScript({ ...report, plan: { ...plan, steps } }));
    expect(stdout).toContain('annotate machinehealthcheck workers cluster.x-k8s.io/paused=');
    expect({ stderr, calls }).toEqual({ stderr: expect.stringMatching(/^Stopped/) as string, calls: [] });
  });

  it('skips hops that are Completed, and does not start an update twice', async () => {
    const script = planScript(unattended(await toNextMinors()));
    const afterFirst = runScript(script, { desired: '4.15.3', completed: ['4.15.3'] });
    expect(afterFirst.calls[0]).toBe('adm upgrade --to=4.16.5');
    rmSync(join(folder, 'calls'));
    const during = runScript(script, { desired: '4.15.3' });
    expect(during.calls.slice(0, 2)).toEqual([
      expect.stringMatching(/^adm wait-for-stable-cluster /),
      'adm upgrade --to=4.16.5',
    ]);
    expect(during.calls.filter((call) => call.includes('"paused":true'))).toEqual([]);
  });

  it('starts no update while the cluster cannot be read', async () => {
    writeFileSync(join(folder, 'flaky'), '');
    const { status, stderr, calls } = runScript(planScript(unattended(await toNextMinors())));
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Cannot read the ClusterVersion.' });
    expect(calls.filter((call) => call.includes('--to='))).toEqual([]);
  });

  it.each([
    [{ id: 'another' }, 'This is not cluster 00000000-0000-4000-8000-000000000001.'],
    [{ desired: '4.13.9' }, 'The cluster is at 4.13.9, which is not on the path. Make a new plan.'],
  ])('refuses %j', async (state, message) => {
    const { status, stderr, calls } = runScript(planScript(await toNextMinors()), state);
    expect({ status, stderr, calls }).toEqual({ status: 1, stderr: message, calls: [] });
  });

  it('stops at the first blocker of a blocked plan', async () => {
    const facts = aCluster({
      pools: [aPool('master'), aPool('worker', { conditions: [aCondition('Degraded', 'True')] })],
    });
    const { status, stderr, calls } = runScript(planScript(await aReport({ facts, to: '4.15.3' })));
    expect({ status, stderr, calls }).toEqual({
      status: 1,
      stderr: 'Blocked. Resolve this, then make a new plan.',
      calls: [],
    });
  });

  it('takes the patch of a blocked plan, and stops before the minor that is blocked', async () => {
    const facts = aCluster({
      clusterOperators: [aClusterOperator('dns', [aCondition('Upgradeable', 'False', 'Blocked', 'not yet')])],
    });
    const plan = reportOn(facts, foundAlong(['4.14.8', '4.14.20', '4.15.7']));
    expect(plan.verdict).toBe('blocked');
    const steps = plan.plan.steps.filter(({ kind }) => kind !== 'check' && kind !== 'backup');
    const { status, stderr, calls } = runScript(planScript({ ...plan, plan: { ...plan.plan, steps } }));
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Blocked. Resolve this, then make a new plan.' });
    expect(calls.filter((call) => call.includes('--to='))).toEqual(['adm upgrade --to=4.14.20']);
  });

  it.each([
    'oc get nodes; touch hacked',
    'oc get nodes $(touch hacked)',
    'oc get nodes `touch hacked`',
    'oc get nodes\ntouch hacked',
    'oc get nodes | touch hacked',
    'oc get nodes > hacked',
    "oc get '--kubeconfig=x'",
    "oc get nodes 'open",
    'oc adm upgrade --force --to=4.15.3',
    'oc delete node worker-0',
  ])('asks instead of running %j from a response', async (command) => {
    const { plan, ...report } = await aReport({ facts: aCluster(), to: '4.15.3' });
    const last = { ...plan.steps.at(-1)!, command };
    const { commands: _, ...step } = last;
    const { status, stderr, calls } = runScript(planScript({ ...report, plan: { ...plan, steps: [step] } }));
    expect({ status, stderr, calls }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Stopped/) as string,
      calls: [],
    });
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
  });

  it('fails for a plan without a path', async () => {
    const { status, stderr } = runScript(planScript(await aReport({ facts: aCluster(), to: '4.17.1' })));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No update path: /);
  });

  it('runs nothing that a document contains', async () => {
    const hostile = `'"$(touch hacked)\`touch hacked\`; touch hacked\n# x`;
    const facts = aCluster({
      clusterVersion: aClusterVersion({ clusterId: hostile }),
      clusterOperators: [aClusterOperator('dns', [aCondition('Degraded', 'True', 'Broken', hostile)])],
      pools: [aPool('master'), aPool(hostile)],
    });
    const script = planScript(unattended(await aReport({ facts, to: '4.16.5' })));
    runScript(script, { id: hostile });
    runScript(script);
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
  });
});
