import { describe, expect, it } from 'vitest';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { clusterVersion, type Json, listOf } from '../../../../helpers/cluster/objects.ts';

const status = clusterVersion['status'] as Json;
const entry = (status['history'] as readonly Json[])[0]!;
const withHistory = (id: string, entries: number): Json => ({
  ...clusterVersion,
  spec: { clusterID: id },
  status: {
    ...status,
    history: Array.from({ length: entries }, (_, at) => ({ ...entry, version: `4.14.${entries - at}` })),
  },
});
const job = (name: string, created: string): Json => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'ci', uid: name, creationTimestamp: created },
  status: { completionTime: created, conditions: [{ type: 'Complete', status: 'True' }] },
});

describe('cairn prune history', () => {
  it('ranks the entries of a history and prints what would be deleted', async () => {
    const { code, out, asked } = await runCli(['prune', 'history', '--max', '8', '--mode', 'fleet'], {
      stdin: JSON.stringify(withHistory('a', 12)),
    });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
    expect(out).toMatch(/^INDEX {2}STATE/);
    expect(out).toMatch(/\n4 of 12 entries removed \(mode fleet, max 8\)\n$/);
  });

  it('does so for many clusters, of several files and lists', async () => {
    const files = {
      'a.json': JSON.stringify(withHistory('a', 12)),
      'more.json': JSON.stringify(listOf(withHistory('b', 9), withHistory('c', 3))),
    };
    const { out } = await runCli(
      ['prune', 'history', 'a.json', 'more.json', '--max', '8', '--mode', 'fleet', '-o', 'json'],
      { files },
    );
    const { evaluations } = JSON.parse(out) as { evaluations: { name: string; removedTotal: number }[] };
    expect(evaluations.map(({ name, removedTotal }) => [name, removedTotal])).toEqual([
      ['a', 4],
      ['b', 1],
      ['c', 0],
    ]);
  });

  it.each([
    [['--max', '3'], JSON.stringify(withHistory('a', 12)), '/max: '],
    [[], '{"kind":"Node","metadata":{"name":"n"}}', 'the documents hold no ClusterVersion'],
    [[], 'no JSON', 'document 0'],
  ])('refuses %j', async (argv, stdin, told) => {
    const { code, err } = await runCli(['prune', 'history', ...argv], { stdin });
    expect(code).toBe(64);
    expect(err).toContain(told);
  });
});

describe('cairn prune resources', () => {
  const documents = JSON.stringify(
    listOf(job('old', '2026-01-01T00:00:00Z'), job('new', '2026-03-01T00:00:00Z')),
  );

  it('prints commands for what would be deleted', async () => {
    const { code, out } = await runCli(
      ['prune', 'resources', '--older-than', '7d', '--kinds', 'Job', '--now', '2026-03-02T00:00:00Z'],
      { stdin: documents },
    );
    expect(code).toBe(0);
    expect(out).toMatch(/\noc delete .*\bold\b/);
    expect(out).not.toMatch(/\noc delete .*\bnew\b/);
  });

  it('asks oc for the kinds that are wanted', async () => {
    const { ran } = await runCli(
      [
        'prune',
        'resources',
        '--oc',
        '--older-than',
        '7d',
        '--kinds',
        'Job,tekton.dev/v1/PipelineRun',
        '--allow-unregistered',
        'tekton.dev/v1/PipelineRun',
      ],
      { oc: () => ({ stdout: Buffer.from(documents) }) },
    );
    expect(ran).toEqual(['oc get job -A -o json', 'oc get pipelinerun.v1.tekton.dev -A -o json']);
  });

  it('names the flag that is wrong', async () => {
    const { code, err } = await runCli(['prune', 'resources', '--older-than', 'long'], { stdin: documents });
    expect(code).toBe(64);
    expect(err).toContain('cairn: --older-than');
  });
});

describe('cairn prune images', () => {
  it('asks oc for all users of images, and prints the kinds that the cluster does not have', async () => {
    const empty = Buffer.from(JSON.stringify(listOf()));
    const { code, ran, out } = await runCli(['prune', 'images', '--oc', '-o', 'json'], {
      oc: ([, resource]) =>
        resource === 'deploymentconfigs'
          ? { exitCode: 1, stderr: 'error: the server doesn\'t have a resource type "deploymentconfigs"\n' }
          : { stdout: empty },
    });
    expect(code).toBe(0);
    expect(ran).toHaveLength(13);
    // A cluster without pods and images is none; that it has none of the others is believed.
    const { blockers } = JSON.parse(out) as { blockers: { reason: string; message: string }[] };
    expect(blockers.map(({ reason }) => reason)).toEqual(['IncompleteInUse', 'NoImageStreams', 'NoImages']);
    expect(blockers[0]!.message).toMatch(/^no Pod is among the documents;/);
  });

  it('exits with 3 when oc has no access to one of them', async () => {
    const { code, err } = await runCli(['prune', 'images', '--oc'], {
      oc: () => ({ exitCode: 1, stderr: 'Error from server (Forbidden): no\n' }),
    });
    expect({ code, err }).toEqual({
      code: 3,
      err: 'cairn: oc get pods: Error from server (Forbidden): no\n',
    });
  });
});
