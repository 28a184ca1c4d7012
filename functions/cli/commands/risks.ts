import { asCsv, type CsvColumns } from '@cairn/shared/fleet/cluster-row';
import type { Block } from '@cairn/shared/text/blocks';
import { countInWords } from '@cairn/shared/text/words';
import type { ParsedArgs } from '../../command-line/parse.ts';
import type { RiskEvaluation } from '../../risks/schema.ts';
import { badInput, EXIT } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';
import { MONITORING, queriesOfRisks, readLiveAnswers } from '../cluster/live-answers.ts';
import { CLUSTER_FLAGS } from '../cluster/oc.ts';
import { CLUSTER_QUERIES, WORKLOAD_QUERIES } from '../cluster/queries.ts';
import { readClusterDocuments, sendDocuments } from '../cluster/read-documents.ts';
import type { Command, Host } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { openRemote, openService } from '../service/open-service.ts';
import { accepted, jsonOf, type Service } from '../service/service.ts';
import { QUESTION_FLAGS, SOURCE_FLAGS } from './common-flags.ts';
import { graphsToAsk } from './plan.ts';

type Evaluation = Output<typeof RiskEvaluation>;
type EvaluatedRisk = Evaluation['risks'][number];

const { channel, arch } = QUESTION_FLAGS;
const PARAMETERS = ['channel', 'arch', 'from', 'to', 'hosted'] as const;

export const risks: Command = {
  name: 'risks',
  summary: 'show which known risks of conditional updates apply to a cluster',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Evaluates the risks of a channel for a cluster, from what "oc get … -o json" prints. With --in-cluster it also asks the monitoring of the cluster, if the service account has the role cluster-monitoring-view. It exits with 0 if no risk applies or each one that does is accepted, 2 if one applies, and 3 if none is known to apply but some are unknown.',
  flags: {
    cluster: {
      kind: 'text',
      value: 'ID',
      help: 'with --url: a cluster that reports to it, without documents',
    },
    channel: { ...channel, help: 'the risks of this channel (the channel of the cluster)' },
    arch,
    from: { kind: 'text', value: 'VERSION', help: 'only risks of the updates from this version' },
    to: { kind: 'text', value: 'VERSION', help: 'only risks of the updates to this version' },
    hosted: {
      kind: 'text',
      value: 'NAMESPACE/NAME',
      help: 'the hosted cluster, if the documents have several',
    },
    metrics: {
      kind: 'text',
      value: 'URL',
      default: MONITORING,
      help: `with --in-cluster: the Thanos or Prometheus to ask (${MONITORING})`,
    },
    output: outputFlag(['text', 'json', 'yaml', 'markdown', 'csv']),
    ...CLUSTER_FLAGS,
    ...SOURCE_FLAGS,
  },
  examples: [
    'cairn risks --oc --url https://cairn.example.com',
    'cairn risks cluster.json --graph graphs.json.gz --to 4.16.8',
    'cairn risks --in-cluster --url https://cairn.example.com -o csv',
    'cairn risks --cluster prod-eu-1 --url https://cairn.example.com',
  ],
  async run(args, host) {
    const answer = await (args.text('cluster') === undefined ? ofDocuments : ofCluster)(args, host);
    const evaluation = jsonOf(answer) as Evaluation;
    const format = formatOf(args);
    if (format === 'csv') host.out.write(asCsv(COLUMNS, evaluation.risks));
    else printAnswer(answer.body, format, host, () => asBlocks(evaluation));
    return exitCodeOf(evaluation);
  },
};

async function ofDocuments(args: ParsedArgs, host: Host) {
  const documents = await readClusterDocuments(args, host, [...CLUSTER_QUERIES, ...WORKLOAD_QUERIES]);
  const service = await openService(args, host, () => graphsToAsk(args, documents, host));
  const live = args.isSet('in-cluster') ? await answersOfCluster(service, args, host) : null;
  return sendDocuments(service, live === null ? documents : Buffer.concat([documents, live]), {
    method: 'POST',
    path: '/v1/risk-evaluations',
    query: args.query(PARAMETERS),
  });
}

async function ofCluster(args: ParsedArgs, host: Host) {
  const others = ['oc', 'in-cluster', 'arch', 'from', 'to', 'hosted'].filter((flag) => args.isSet(flag));
  if (args.arguments.length > 0 || others.length > 0) {
    throw badInput('--cluster is a stored cluster: documents and flags about them are not accepted with it');
  }
  const service = await openRemote(args, host);
  const path = `/v1/clusters/${encodeURIComponent(args.text('cluster')!)}/risks`;
  return accepted(await service.ask({ method: 'GET', path, query: args.query(['channel']) }));
}

async function answersOfCluster(service: Service, args: ParsedArgs, host: Host): Promise<Uint8Array | null> {
  const queries = await queriesOfRisks(service, args.query(['channel', 'arch']));
  host.err.write(`asks the monitoring of the cluster ${queries.length} queries, one a second\n`);
  return readLiveAnswers(queries, args.text('metrics') ?? MONITORING, host);
}

const WORDS = { yes: 'applies', no: 'does not apply', unknown: 'unknown' } as const;

function asBlocks({ channels, arch: release, risks: found, updates }: Evaluation): readonly Block[] {
  const title = `Risks of ${channels.join(', ') || 'no channel'} on ${release}`;
  if (found.length === 0) {
    return [
      { kind: 'title', text: title },
      { kind: 'paragraph', text: 'No known risks.' },
    ];
  }
  const rows = found
    .toSorted(byExposure)
    .map((risk) => [risk.name, appliesInWords(risk), String(risk.edges), whyInWords(risk)]);
  return [
    { kind: 'title', text: title },
    { kind: 'paragraph', text: `${countsOf(found).join(', ')}.` },
    ...updatesInWords(updates),
    { kind: 'table', header: ['Risk', 'Applies', 'Updates', 'Why'], rows },
  ];
}

/** `1 applies, 2 accepted, 3 unknown, 14 do not apply`, without zero counts. */
function countsOf(found: readonly EvaluatedRisk[]): string[] {
  const accepted = found.filter((risk) => risk.accepted && risk.applies !== 'no');
  const count = (applies: EvaluatedRisk['applies']) =>
    found.filter((risk) => risk.applies === applies && !accepted.includes(risk)).length;
  const [yes, no] = [count('yes'), count('no')];
  const counts = [
    [yes, yes === 1 ? 'applies' : 'apply'],
    [accepted.length, 'accepted'],
    [count('unknown'), 'unknown'],
    [no, no === 1 ? 'does not apply' : 'do not apply'],
  ] as const;
  return counts.filter(([many]) => many > 0).map(([many, words]) => `${many} ${words}`);
}

/** `12 updates from here: 8 recommended, 3 with risks that do not apply, 1 with risks that apply` */
function updatesInWords(updates: Evaluation['updates']): readonly Block[] {
  if (updates.length === 0) return [];
  const count = (is: (update: Evaluation['updates'][number]) => boolean) => updates.filter(is).length;
  const counts = [
    [count(({ recommended }) => recommended), 'recommended'],
    [count(({ recommended, applies }) => !recommended && applies === 'no'), 'with risks that do not apply'],
    [count(({ applies }) => applies === 'unknown'), 'with risks that are unknown'],
    [count(({ applies }) => applies === 'yes'), 'with risks that apply'],
  ] as const;
  const parts = counts.filter(([many]) => many > 0).map(([many, words]) => `${many} ${words}`);
  const text = `${countInWords(updates.length, 'update')} from the version of the cluster: ${parts.join(', ')}.`;
  return [{ kind: 'paragraph', text }];
}

function appliesInWords({ applies, accepted: acceptance }: EvaluatedRisk): string {
  return acceptance && applies !== 'no' ? `${WORDS[applies]}, accepted` : WORDS[applies];
}

const ORDER = ['yes', 'unknown', 'no'];

function byExposure(a: EvaluatedRisk, b: EvaluatedRisk): number {
  return ORDER.indexOf(a.applies) - ORDER.indexOf(b.applies) || (a.name < b.name ? -1 : 1);
}

function whyInWords({ decidedBy, reason, missing = [], unsupported = '' }: EvaluatedRisk): string {
  if (reason === 'MissingFacts') {
    const documents = [...new Set(missing.flatMap((metric) => metric.documents))];
    const metrics = missing.filter((metric) => metric.documents.length === 0).map(({ metric }) => metric);
    const live = metrics.length === 0 ? [] : [`only the metrics of the cluster show ${metrics.join(', ')}`];
    return [...(documents.length === 0 ? [] : [`send ${documents.join(', ')}`]), ...live].join('; ');
  }
  if (reason === 'UnsupportedQuery') return `not supported: ${unsupported}`;
  if (reason === 'EvaluationFails') return 'the cluster cannot evaluate its query either';
  return decidedBy.map((text) => (text === 'Always' ? 'it applies to every cluster' : text)).join('; ');
}

const COLUMNS = {
  name: ({ name }) => name,
  applies: ({ applies }) => applies,
  accepted: ({ accepted: acceptance }) => (acceptance ? 'yes' : 'no'),
  updates: ({ edges }) => edges,
  as_of: ({ asOf }) => asOf,
  source: ({ source }) => source,
  why: whyInWords,
  url: ({ url }) => url,
} as const satisfies CsvColumns<EvaluatedRisk>;

function exitCodeOf({ risks: found }: Evaluation): number {
  const open = found.filter(({ accepted: acceptance }) => acceptance === undefined);
  if (open.some(({ applies }) => applies === 'yes')) return EXIT.blocked;
  return open.some(({ applies }) => applies === 'unknown') ? EXIT.unknown : EXIT.ready;
}
