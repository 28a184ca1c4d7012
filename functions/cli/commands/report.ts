import { ClusterReader } from '@cairn/shared/cluster/cluster-reader';
import { REPORTED_KINDS, type ReportedKind } from '@cairn/shared/cluster/cluster-record';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import { isRemovedApi } from '@cairn/shared/skew/tables/api-removals';
import { factDigests } from '../../api/fact-digests.ts';
import type { Command } from '../command.ts';
import { CLUSTER_QUERIES } from '../documents/cluster-queries.ts';
import { mistakeInWords } from '../documents/mistake.ts';
import { OC_FLAGS } from '../documents/oc.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { sendDocuments } from '../documents/send-documents.ts';
import { EXIT } from '../exit-code.ts';
import { badInput, notKnown } from '../failure.ts';
import { openRemote } from '../service/open-service.ts';
import { accepted, jsonOf } from '../service/refusal.ts';
import type { Service } from '../service/service.ts';
import { SOURCE_FLAGS } from '../service/source-flags.ts';

const { url, token, 'token-file': tokenFile, region } = SOURCE_FLAGS;
/** Others may report of the same cluster meanwhile. */
const ATTEMPTS = 3;

export const report: Command = {
  name: 'report',
  summary: 'tells a Cairn what a cluster runs; only what changed is sent',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Reads what "oc get … -o json" prints, keeps of it what a plan needs, and sends that to a Cairn: of pods only how many there are on each node, of people who use APIs that go away only how many. What the Cairn knows already is not sent again.',
  flags: {
    cluster: { kind: 'text', value: 'ID', variable: 'CAIRN_CLUSTER', help: 'the name of the cluster there' },
    usernames: { kind: 'switch', help: 'send the names of people who use APIs that go away' },
    'dry-run': { kind: 'switch', help: 'print what would be sent, and send nothing' },
    ...OC_FLAGS,
    url,
    token,
    'token-file': tokenFile,
    region,
  },
  examples: [
    'cairn report --oc --cluster prod-eu-1 --url https://cairn.example.com',
    'cairn report dump.json --cluster prod-eu-1 --url https://cairn.example.com --dry-run',
  ],
  async run(given, machine) {
    const cluster = given.text('cluster');
    if (cluster === undefined)
      throw badInput('--cluster is needed: the name of the cluster (or set CAIRN_CLUSTER)');
    const { documents } = await readDocuments(given, machine, CLUSTER_QUERIES);
    const collectedAt = new Date(machine.clock()).toISOString();
    const usernames = given.isSet('usernames');
    const reading = splitDocuments(documents, new ClusterReader({ collectedAt, usernames, isRemovedApi }));
    if (!reading.ok) throw badInput(...reading.mistakes.map(mistakeInWords));
    const { facts } = reading;
    if (given.isSet('dry-run')) {
      machine.out.write(textOf(facts, REPORTED_KINDS));
      return EXIT.ready;
    }
    const service = await openRemote(given, machine);
    const sent = await send(service, `/v1/clusters/${encodeURIComponent(cluster)}`, facts, usernames);
    machine.out.write(`${cluster}: ${sent}\n`);
    return EXIT.ready;
  },
};

async function send(
  service: Service,
  path: string,
  facts: ClusterFacts,
  usernames: boolean,
): Promise<string> {
  const own = factDigests(facts);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const known = await knownDigests(service, path);
    const kinds = REPORTED_KINDS.filter((kind) => facts[kind] !== null);
    const unchanged = kinds.filter((kind) => own[kind] !== undefined && own[kind] === known.digests[kind]);
    const changed = kinds.filter((kind) => !unchanged.includes(kind));
    const query = new URLSearchParams({ collected_at: facts.collectedAt! });
    if (usernames) query.set('usernames', 'true');
    if (unchanged.length > 0) query.set('unchanged', unchanged.join(','));
    const text = textOf(facts, changed);
    const outcome = await sendDocuments(
      service,
      Buffer.from(text),
      {
        method: 'PUT',
        path,
        query,
        headers: known.etag === null ? { 'if-none-match': '*' } : { 'if-match': known.etag },
      },
      [412],
    );
    if (outcome.status !== 412)
      return `${changed.join(', ')} sent, ${unchanged.join(', ') || 'nothing'} unchanged`;
  }
  throw notKnown('others keep reporting of this cluster, nothing was stored; try again');
}

interface Known {
  readonly digests: Partial<Record<ReportedKind, string>>;
  readonly etag: string | null;
}

async function knownDigests(service: Service, path: string): Promise<Known> {
  const query = new URLSearchParams({ digests: 'true' });
  const answer = await service.ask({ method: 'GET', path, query });
  if (answer.status === 404) return { digests: {}, etag: null };
  const { digests } = jsonOf(accepted(answer)) as Pick<Known, 'digests'>;
  return { digests, etag: answer.headers['etag'] ?? null };
}

function textOf(facts: ClusterFacts, kinds: readonly ReportedKind[]): string {
  return reducedDocuments(facts, kinds)
    .map((document) => `${JSON.stringify(document)}\n`)
    .join('');
}
