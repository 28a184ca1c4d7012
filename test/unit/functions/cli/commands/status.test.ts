import { describe, expect, it } from 'vitest';
import { runCli } from '../../../../helpers/cli/cli.ts';
import { aStatusDocument, AT, BEGIN } from '../../../../helpers/update-status/documents.ts';
import { recordedCases } from '../../../../helpers/update-status/recorded-cases.ts';

const at = new Date(AT).toISOString();
const run = (argv: readonly string[], documents: string, isTerminal = false) =>
  runCli(['status', ...argv], { stdin: documents, clock: () => AT, isTerminal });

describe('cairn status', () => {
  it('prints the sections of an update without a network', async () => {
    const { code, out, asked } = await run([], aStatusDocument());
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
    expect(out).toBe(`Control plane
-------------

Assessment:       Progressing
Target version:   4.14.1 (from 4.14.0)
Updating:         machine-config
Completion:       50% (1 operators updated, 1 updating, 0 waiting)
Duration:         20m (estimated time remaining: <10m)
Operator health:  2 healthy

All control plane nodes are updated to 4.14.1.

Worker pools
------------

WORKER POOL  ASSESSMENT   COMPLETION  STATUS
worker       Progressing  0% (0/2)    1 Available, 1 Progressing, 1 Draining
spare        Empty                    0 Total

Worker pool nodes: worker

NAME      ASSESSMENT   PHASE     VERSION  EST   MESSAGE
worker-1  Progressing  Draining  4.14.0   +10m
worker-0  Outdated     Pending   4.14.0   ?

Update health
-------------

SINCE  LEVEL  IMPACT  MESSAGE
20m    Info   None    The update is proceeding well
`);
  });

  it('adds the operators with aligned lines, and insights with their references', async () => {
    const { out } = await run(['--details=all'], aStatusDocument());
    expect(out).toContain(`
NAME            SINCE  REASON                MESSAGE
machine-config  10m    RollingOutVersion...  Working towards 4.14.1
                                             Second line
`);
    expect(out).toContain('Message: The update is proceeding well\n  Since: 20m\n  Level: Info\n');
  });

  it('is the response of the service as JSON, and Markdown', async () => {
    const { out } = await run(['-o', 'json', '--at', BEGIN], aStatusDocument());
    expect(JSON.parse(out)).toMatchObject({ at: BEGIN, cluster: null, run: null, updating: true });
    const { out: yaml } = await run(['-o', 'yaml'], aStatusDocument());
    expect(yaml).toContain('state: control-plane\n');
    const { out: markdown } = await run(['-o', 'markdown'], aStatusDocument());
    expect(markdown).toContain('## Control plane\n');
  });

  it.each([
    ['going well', aStatusDocument(), [], 0],
    ['not updating', aStatusDocument({ isDone: true }), [], 0],
    ['slow', aStatusDocument(), ['--at', at.replace(':00:', ':10:')], 1],
    ['held by a paused pool', aStatusDocument({ isHeld: true }), [], 1],
    ['stalled', aStatusDocument(), ['--at', at.replace('T12', 'T18')], 2],
    ['with an error', aStatusDocument({ degradedSeconds: 2500 }), [], 2],
    ['with a warning', aStatusDocument({ degradedSeconds: 400 }), [], 0],
    ['without ClusterOperators', aStatusDocument({ without: 'ClusterOperator' }), [], 3],
    ['without a ClusterVersion', aStatusDocument({ without: 'ClusterVersion' }), [], 3],
    ['without nodes', aStatusDocument({ without: 'Node' }), [], 3],
    ['without MachineConfigs', aStatusDocument({ without: 'MachineConfig' }), [], 3],
    ['without alerts, which are optional', aStatusDocument(), [], 0],
    ['broken', '{"kind":', [], 64],
    ['called wrongly', aStatusDocument(), ['--details=some'], 64],
    ['of a time that is none', aStatusDocument(), ['--at', 'now'], 64],
    ['of the day after tomorrow', aStatusDocument(), ['--at', '2026-11-18T12:00:00Z'], 64],
  ])('exits by the state: %s', async (_title, documents, argv, code) => {
    const ended = await run(argv, documents);
    expect(ended.code).toBe(code);
    expect(ended.err !== '').toBe(code === 3 || code === 64);
  });

  it('names what is missing and the command that prints it', async () => {
    const { err } = await run([], aStatusDocument({ without: 'ClusterOperator' }));
    expect(err).toBe(
      'cairn: no ClusterOperator was sent. Send the output of: oc get clusteroperators -o json\n',
    );
    const { err: hint } = await run([], aStatusDocument({ without: 'MachineConfig' }));
    expect(hint).toContain('oc get machineconfigs -o json');
  });

  it('reads what it needs with oc, and nothing else', async () => {
    const asked: string[] = [];
    const { code } = await runCli(['status', '--oc'], {
      clock: () => AT,
      oc: (args) => {
        asked.push(args[1]!);
        return ocGet(aStatusDocument(), args);
      },
    });
    expect(code).toBe(0);
    expect(asked).toEqual([
      'clusterversions.config.openshift.io/version',
      'clusteroperators.config.openshift.io',
      'nodes',
      'machineconfigpools.machineconfiguration.openshift.io',
      'machineconfigs.machineconfiguration.openshift.io',
      'deployments.apps/machine-config-operator',
    ]);
  });
});

/** A cluster of which `oc` shows another document each time; waits move its clock. */
function watched(argv: readonly string[], documents: readonly (string | null)[], isTerminal = false) {
  let now = AT;
  let at = 0;
  return runCli(['status', '--oc', ...argv], {
    isTerminal,
    clock: () => now,
    wait: async (ms) => {
      now += ms;
      at++;
    },
    oc: (args) => {
      const document = documents[Math.min(at, documents.length - 1)]!;
      return document === null ? { exitCode: 1, stderr: 'no route to host' } : ocGet(document, args);
    },
  });
}

function ocGet(document: string, args: readonly string[]) {
  const { items } = JSON.parse(document) as { items: { kind: string }[] };
  const plural = args[1]!.split(/[./]/)[0]!;
  const found = items.filter(({ kind }) => `${kind.toLowerCase()}s` === plural);
  const isOne = args[1]!.includes('/');
  if (isOne && found.length === 0) return { exitCode: 1, stderr: 'Error from server (NotFound): none' };
  const stdout = isOne ? found[0] : { kind: 'List', apiVersion: 'v1', items: found };
  return { exitCode: 0, stdout: Buffer.from(JSON.stringify(stdout)) };
}

describe('cairn status --watch', () => {
  const [busy, done] = [aStatusDocument(), aStatusDocument({ isDone: true })];

  it('prints a line for each change until the update ends', async () => {
    const { code, out, err } = await watched(['--watch'], [busy, busy, null, busy, done]);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.replace(/, about .*/, ''))).toEqual([
      '2026-11-16T12:00:00Z control-plane: 4.14.0 → 4.14.1: 50% of the control plane, 1 node draining, 1 node waiting',
      '2026-11-16T12:02:00Z none: No update is in progress. The cluster runs 4.14.1 since 2026-11-16T11:55:00Z',
      '',
    ]);
    expect(err).toContain('no route to host; tries again\n');
  });

  it('redraws a terminal as often as it is told to', async () => {
    const { out } = await watched(['--watch', '5'], [busy, busy, done], true);
    expect(out.split('\u001b[H\u001b[J')).toHaveLength(4);
    expect(out).toContain('Control plane');
    const { out: json } = await watched(['--watch=5', '-o', 'json'], [busy, busy, done]);
    const lines = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { at: string; updating: boolean });
    expect(lines.map(({ at: time, updating }) => [time.slice(11, 19), updating])).toEqual([
      ['12:00:00', true],
      ['12:00:10', false],
    ]);
  });

  it('fails when the first reading does, or documents cannot be read', async () => {
    expect((await watched(['--watch'], [null])).code).toBe(3);
    const broken = busy.replace('"conditions":[', '"conditions":7,"others":[');
    expect((await watched(['--watch'], [busy, broken])).code).toBe(64);
  });

  it.each([
    [['--watch', '4', '--oc'], 'a whole number from 5 to 3600 is'],
    [['--watch', '--oc', '--at', BEGIN], '--at is one moment'],
    [['--watch', '--oc', '-o', 'yaml'], '--watch prints text or json'],
    [['--watch', 'a.json'], '--watch reads again and again'],
    [['--cluster', 'a', '--oc'], 'one of them is accepted'],
    [['--cluster', 'a', '--fleet'], 'one of them is accepted'],
    [['--fleet', '--at', BEGIN], '--at is for one cluster'],
    [['--fleet'], '--url is needed'],
  ])('refuses %j', async (argv, told) => {
    const { code, err } = await runCli(['status', ...argv]);
    expect([code, err]).toEqual([64, expect.stringContaining(told)]);
  });
});

interface Served {
  readonly status?: number;
  readonly body: unknown;
}

/** A Cairn that gives these answers one after the other, the last one again and again. */
function cairnWith(...answers: readonly Served[]) {
  let at = 0;
  return async () => {
    const { status = 200, body } = answers[Math.min(at++, answers.length - 1)]!;
    return new Response(JSON.stringify(body), { status });
  };
}

const REMOTE = ['--url', 'http://127.0.0.1:8080'];

describe('cairn status --cluster', () => {
  const stored = async (changes: object) => {
    const { out } = await run(['-o', 'json'], aStatusDocument());
    return { ...(JSON.parse(out) as object), cluster: 'prod-1', ...changes };
  };

  it.each([
    ['going well', {}, 0],
    ['held', { state: 'held' }, 1],
    ['stalled', { state: 'stalled' }, 2],
    ['silent, of which nothing is known', { state: 'silent', insights: [{ level: 'Error' }] }, 3],
    ['without nodes', { missing: ['nodes'] }, 3],
  ])('exits by the state: %s', async (_title, changes, code) => {
    const ended = await runCli(['status', '--cluster', 'prod-1', '-o', 'json', ...REMOTE], {
      fetch: cairnWith({ body: await stored(changes) }),
    });
    expect(ended.code).toBe(code);
    expect(ended.asked).toEqual(['http://127.0.0.1:8080/v1/clusters/prod-1/update-status']);
  });

  it('prints the sections, and says what the cluster has not reported', async () => {
    const argv = ['status', '--cluster', 'prod-1', '--at', BEGIN, ...REMOTE];
    const { out, asked } = await runCli(argv, { fetch: cairnWith({ body: await stored({}) }) });
    expect(out).toContain('Worker pool nodes: worker');
    expect(asked[0]).toContain('?at=2026-11-16T11%3A40%3A00Z');
    const detail = 'prod-1: no ClusterOperator was sent';
    const incomplete = await runCli(argv, { fetch: cairnWith({ status: 409, body: { detail } }) });
    expect([incomplete.code, incomplete.err]).toEqual([3, `cairn: ${detail}\n`]);
    const unknown = await runCli(argv, {
      fetch: cairnWith({ status: 404, body: { detail: 'there is none' } }),
    });
    expect(unknown.code).toBe(64);
  });
});

describe('cairn status --fleet', () => {
  const line = (id: string, state: string, changes: object = {}) => ({
    id,
    state,
    from: '4.14.0',
    to: '4.14.1',
    percent: 97,
    nodes: { updated: 2, total: 6 },
    worstLevel: null,
    attention: null,
    lastProgressAt: '2026-11-16T11:50:00Z',
    forecast: { likelyAt: '2026-11-16T12:20:00Z' },
    ...changes,
  });
  const page = (clusters: readonly object[], nextCursor: string | null = null) => ({
    body: { clusters, counts: {}, forecastError: null, nextCursor },
  });
  const stuck = {
    subject: 'worker-0',
    what: 'is draining',
    since: null,
    detail: 'shop/db\u001b[2J',
    command: null,
  };
  const fleet = (answers: readonly Served[], ...argv: readonly string[]) => {
    let now = AT;
    return runCli(['status', '--fleet', ...REMOTE, ...argv], {
      fetch: cairnWith(...answers),
      clock: () => now,
      wait: async (ms) => void (now += ms),
    });
  };

  it('prints the lines of all pages, as they are sent', async () => {
    const { code, out, asked } = await fleet([
      page([line('prod-1', 'stalled', { attention: stuck })], 'next'),
      page([line('prod-2', 'workers', { from: null, percent: null, lastProgressAt: null, forecast: null })]),
    ]);
    expect(code).toBe(2);
    expect(out).toContain('2 clusters: 1 stalled, 1 workers.');
    expect(out).toMatch(
      /^prod-1 +stalled +4\.14\.0 +4\.14\.1 +97% +2\/6 +2026-11-16T11:50:00Z +2026-11-16T12:20:00Z +worker-0 is draining shop\/db/m,
    );
    expect(out).toMatch(/^prod-2 +workers +- +4\.14\.1 +- +2\/6 +- +-/m);
    expect(out).not.toContain('\u001b');
    expect(asked.map((address) => new URL(address).search)).toEqual(['', '?cursor=next']);
    const json = await fleet([page([line('a', 'slow')], 'next'), page([line('b', 'slow')])], '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ clusters: [{ id: 'a' }, { id: 'b' }], nextCursor: null });
  });

  it.each([
    [[], 0],
    [[line('a', 'workers'), line('b', 'completed')], 0],
    [[line('a', 'held')], 1],
    [[line('a', 'workers', { worstLevel: 'Error' }), line('b', 'silent')], 2],
    [[line('a', 'silent', { worstLevel: 'Error' }), line('b', 'slow')], 3],
  ])('exits by the worst cluster: %#', async (clusters, code) => {
    expect((await fleet([page(clusters)])).code).toBe(code);
  });

  it('watches until every update is completed', async () => {
    const { code, out } = await fleet(
      [
        page([line('a', 'workers'), line('b', 'workers')]),
        page([line('b', 'stalled', { attention: stuck }), line('a', 'workers')]),
        page([line('a', 'completed'), line('b', 'completed')]),
      ],
      '--watch',
    );
    expect(code).toBe(0);
    expect(out.split('\n').map((text) => text.split(',')[0])).toEqual([
      '2026-11-16T12:00:00Z a workers: 4.14.0 → 4.14.1',
      '2026-11-16T12:00:00Z b workers: 4.14.0 → 4.14.1',
      '2026-11-16T12:00:30Z b stalled: 4.14.0 → 4.14.1',
      '2026-11-16T12:01:00Z a completed: 4.14.0 → 4.14.1',
      '2026-11-16T12:01:00Z b completed: 4.14.0 → 4.14.1',
      '',
    ]);
    expect(out).not.toContain('\u001b');
  });
});

describe.skipIf(recordedCases.length === 0)('cairn status of recorded clusters', () => {
  it.each(recordedCases)('shows the sections of $name', async ({ documents, expected }) => {
    const { out } = await runCli(['status', '--at', expected.at], { stdin: documents });
    const sections = ['Control plane', 'Update health'].filter((section) => out.includes(`${section}\n---`));
    expect(sections).toHaveLength(expected.updating === false ? 0 : 2);
    for (const node of Object.values(expected.nodes ?? {}).flat()) {
      expect(out).toContain((node as { name: string }).name);
    }
  });
});
