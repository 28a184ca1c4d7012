import { type ClusterFacts, REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { isUpdateInProgress } from '@cairn/shared/update-status/runs/report';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { badInput, EXIT, Failure } from '../../runtime/exit.ts';
import {
  type Collected,
  collectFromCluster,
  collectFromFiles,
  type InUsePolicy,
} from '../cluster/collect-report.ts';
import { followUpdate } from '../cluster/follow-update.ts';
import { readAlerts } from '../cluster/kube-api.ts';
import { liveAnswersOf } from '../cluster/live-answers.ts';
import { CLUSTER_FLAGS, openSource } from '../cluster/oc.ts';
import { readFiles } from '../cluster/read-documents.ts';
import { askPruner, sendFacts, sendInUse, textOf, type PrunerStatus } from '../cluster/send-report.ts';
import type { Command, Host } from '../host.ts';
import { openRemote } from '../service/open-service.ts';
import type { Service } from '../service/service.ts';
import { SOURCE_FLAGS } from './common-flags.ts';

const { url, token, 'token-file': tokenFile, region } = SOURCE_FLAGS;

export const report: Command = {
  name: 'report',
  summary: 'tells a Cairn what a cluster runs; only what changed is sent',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Reads what "oc get … -o json" prints, or the API of the cluster that it runs in, keeps of it what a plan needs, and sends that to a Cairn: of pods only how many there are on each node, of people who use APIs that go away only how many. With --in-use it also tells a pruner of a registry which images are in use. What the Cairn knows already is not sent again. With --follow it reads only the ClusterVersion and ends, unless an update is in progress or the last whole report is an hour old. It exits with 3 when something could not be found out, such as all of the images in use.',
  flags: {
    cluster: { kind: 'text', value: 'ID', variable: 'CAIRN_CLUSTER', help: 'the name of the cluster there' },
    'in-use': {
      kind: 'list',
      value: 'PRUNER',
      variable: 'CAIRN_IN_USE',
      help: 'tell this pruner which images the cluster uses',
    },
    workloads: {
      kind: 'switch',
      help: 'read pods, Deployments, StatefulSets, routes, volumes and virtual machines too',
    },
    alerts: {
      kind: 'text',
      value: 'URL',
      variable: 'CAIRN_ALERTS',
      help: 'with --in-cluster: read the alerts that fire from this Thanos or Prometheus too',
    },
    metrics: {
      kind: 'text',
      value: 'URL',
      variable: 'CAIRN_METRICS',
      help: 'with --in-cluster: ask this Thanos or Prometheus the queries of known risks too',
    },
    usernames: { kind: 'switch', help: 'send the names of people who use APIs that go away' },
    follow: {
      kind: 'switch',
      help: 'report only if an update is in progress or an hour has passed, and every 5 minutes until the update ends, for up to 55 minutes',
    },
    'dry-run': { kind: 'switch', help: 'print what would be sent, and send nothing' },
    ...CLUSTER_FLAGS,
    url,
    token,
    'token-file': tokenFile,
    region,
  },
  examples: [
    'cairn report --oc --cluster prod-eu-1 --url https://cairn.example.com',
    'cairn report --in-cluster --in-use registry --cluster prod-eu-1',
    'cairn report --oc --follow --cluster prod-eu-1',
    'cairn report dump.json --cluster prod-eu-1 --url https://cairn.example.com --dry-run',
  ],
  async run(args, host) {
    const cluster = args.text('cluster');
    if (cluster === undefined)
      throw badInput('--cluster is needed: the name of the cluster (or set CAIRN_CLUSTER)');
    if (args.isSet('dry-run')) return printReport(args, host);
    const service = await openRemote(args, host);
    const sending = { args, host, service };
    if (!args.isSet('follow')) return (await sendReport(cluster, args.list('in-use'), sending)).code;
    const source = await openSource(args, host);
    if (source === null)
      throw badInput('--follow reads a cluster again and again: give --in-cluster or --oc');
    let code: number = EXIT.ready;
    const report = async (isFirst: boolean) => {
      // Images in use do not change with the update: once in an hour is enough.
      const pruners = isFirst ? args.list('in-use') : [];
      const sent = await sendReport(cluster, pruners, sending);
      code = Math.max(code, sent.code);
      return isUpdateInProgress({ facts: sent.facts, clockSkewMs: 0 }, host.clock());
    };
    await followUpdate(cluster, { host, service, source, report });
    return code;
  },
};

interface Sending {
  readonly args: ParsedArgs;
  readonly host: Host;
  readonly service: Service;
}

/** Sends the facts of the cluster, and to each pruner what is in use. */
async function sendReport(
  cluster: string,
  names: readonly string[],
  { args, host, service }: Sending,
): Promise<{ readonly code: number; readonly facts: ClusterFacts }> {
  const failures = new Failures();
  const pruners: PrunerStatus[] = [];
  for (const name of names) {
    await failures.during(async () => void pruners.push(await askPruner(service, name)));
  }
  const { facts: read, uses } = await collect(args, host, pruners);
  const facts =
    read instanceof Failure ? read : await withLiveAnswers(read, cluster, { args, host, service });
  const print = (line: string) => host.out.write(`${line}\n`);
  await failures.during(async () =>
    print(await sendFacts(service, cluster, known(facts), args.isSet('usernames'))),
  );
  let isWhole = true;
  for (const [at, pruner] of pruners.entries()) {
    await failures.during(async () => {
      const use = known(uses[at]!);
      print(await sendInUse(service, pruner, cluster, use));
      isWhole &&= use.reading.inUse.complete;
    });
  }
  failures.throwAny();
  return { code: isWhole ? EXIT.ready : EXIT.unknown, facts: known(facts) };
}

/** Counts all ended pods as users: only a pruner defines how long they count. */
const ANY_PRUNER: InUsePolicy = { keepYoungerThanMs: Infinity, isManaged: true };

async function printReport(args: ParsedArgs, host: Host): Promise<number> {
  const { facts, uses } = await collect(args, host, args.list('in-use').length > 0 ? [ANY_PRUNER] : []);
  host.out.write(textOf(reducedDocuments(known(facts), REPORTED_KINDS)));
  for (const use of uses) host.out.write(textOf(known(use).documents));
  return EXIT.ready;
}

async function collect(args: ParsedArgs, host: Host, uses: readonly InUsePolicy[]): Promise<Collected> {
  const wanted = {
    collectedAt: host.clock(),
    usernames: args.isSet('usernames'),
    workloads: args.isSet('workloads'),
    alerts: await alertsOf(args, host),
    uses,
  };
  const source = await openSource(args, host);
  return source === null
    ? collectFromFiles(await readFiles(args, host), wanted)
    : collectFromCluster(source, wanted);
}

/** With what the cluster's own metrics answer. */
async function withLiveAnswers(
  facts: ClusterFacts,
  cluster: string,
  { args, host, service }: Sending,
): Promise<ClusterFacts> {
  const address = args.text('metrics');
  if (address === undefined || !args.isSet('in-cluster')) return facts;
  const riskAnswers = await liveAnswersOf(cluster, address, { service, host });
  return riskAnswers === null ? facts : { ...facts, riskAnswers };
}

/** The variable may be set where nothing is read from the cluster of the pod. */
async function alertsOf(args: ParsedArgs, host: Host): Promise<ClusterFacts['alerts']> {
  const address = args.text('alerts');
  return address === undefined || !args.isSet('in-cluster') ? null : readAlerts(address, host);
}

function known<Value extends object>(value: Value | Failure): Value {
  if (value instanceof Failure) throw value;
  return value;
}

/** Sends the other parts of a report if one fails. */
class Failures {
  readonly #found: Failure[] = [];

  async during(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#found.push(error);
    }
  }

  throwAny(): void {
    if (this.#found.length === 0) return;
    const lines = new Set(this.#found.flatMap((failure) => failure.lines));
    throw new Failure([...lines], Math.max(...this.#found.map(({ exitCode }) => exitCode)));
  }
}
