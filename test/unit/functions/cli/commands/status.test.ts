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
        const { items } = JSON.parse(aStatusDocument()) as { items: { kind: string }[] };
        const plural = args[1]!.split(/[./]/)[0]!;
        const found = items.filter(({ kind }) => `${kind.toLowerCase()}s` === plural);
        const isOne = args[1]!.includes('/');
        if (isOne && found.length === 0) return { exitCode: 1, stderr: 'Error from server (NotFound): none' };
        const stdout = isOne ? found[0] : { kind: 'List', apiVersion: 'v1', items: found };
        return { exitCode: 0, stdout: Buffer.from(JSON.stringify(stdout)) };
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
