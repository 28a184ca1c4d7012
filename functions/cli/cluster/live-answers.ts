import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import { singleLine } from '@cairn/shared/text/quote';
import type { RiskEvaluation, RiskQueries } from '../../risks/schema.ts';
import { badInput, Failure } from '../../runtime/exit.ts';
import type { Output } from '../../runtime/lazy.ts';
import type { Host } from '../host.ts';
import { accepted, jsonOf, type Service } from '../service/service.ts';
import { askMonitoring, KUBE_LIMITS } from './kube-api.ts';

/** Thanos of the cluster, which its version operator asks too. */
export const MONITORING = 'https://thanos-querier.openshift-monitoring.svc:9091';

/** At most one query a second, like the version operator. */
const PAUSE_MS = 1000;
const LIMITS = { ...KUBE_LIMITS, timeoutMs: 30_000, attempts: 2 };
const QUERY_PATH = '/api/v1/query';
const MOST_CHARACTERS = 300;

/** Texts of the queries that decide risks of these channels. */
export async function queriesOfRisks(service: Service, query: URLSearchParams): Promise<readonly string[]> {
  const answer = accepted(await service.ask({ method: 'GET', path: '/v1/risk-queries', query }));
  const { queries } = jsonOf(answer) as Output<typeof RiskQueries>;
  return queries.map(({ promql }) => promql);
}

/** What the monitoring answers to the queries of the channels that a stored cluster follows or is planned to use. */
export async function liveAnswersOf(
  cluster: string,
  address: string,
  { service, host }: { readonly service: Service; readonly host: Host },
): Promise<ClusterFacts['riskAnswers']> {
  const path = `/v1/clusters/${encodeURIComponent(cluster)}/risks`;
  const known = await service.ask({ method: 'GET', path });
  // A new cluster is not stored yet: its next report has the answers.
  if (known.status === 404) return null;
  const { channels, arch } = jsonOf(accepted(known)) as Output<typeof RiskEvaluation>;
  if (channels.length === 0) return null;
  const query = new URLSearchParams({ channel: channels.join(','), arch });
  const document = await readLiveAnswers(await queriesOfRisks(service, query), address, host);
  if (document === null) return null;
  const reading = splitDocuments(document, new ClusterReader({ isRemovedApi: () => false }));
  if (!reading.ok) throw new Error(`the answers do not read back: ${JSON.stringify(reading.mistakes)}`);
  return reading.facts.riskAnswers;
}

/** Member of a `RiskAnswers` document. */
type LiveAnswer = { readonly promql: string; readonly at: string } & (
  | { readonly data: unknown }
  | { readonly error: string }
);

/**
 * Asks the cluster's monitoring each query. Returns a document to send with the others; null without an answer, since the
 * right to ask is optional.
 */
export async function readLiveAnswers(
  queries: readonly string[],
  address: string,
  host: Host,
): Promise<Uint8Array | null> {
  const api = URL.parse(address);
  // The token of the pod is sent there.
  if (api?.protocol !== 'https:') throw badInput(`--metrics "${address}" is not an https URL`);
  const ask = await askMonitoring(api, host, LIMITS);
  const goOn = (why: string) => host.err.write(`metrics: ${why}; continues with documents alone\n`);
  const answers: LiveAnswer[] = [];
  try {
    for (const [index, promql] of queries.entries()) {
      if (index > 0) await host.wait(PAUSE_MS);
      const { status, body } = await ask(QUERY_PATH, new URLSearchParams({ query: promql }));
      if (status === 403) {
        goOn(`${api.host} refuses this service account`);
        return null;
      }
      const answer = answerIn(body);
      const at = new Date(host.clock()).toISOString();
      if (answer !== null) answers.push({ promql, at, ...answer });
      else host.err.write(`metrics: no answer to a query (status ${status}): ${shorten(promql)}\n`);
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    goOn(error.message);
  }
  if (answers.length === 0) return null;
  return Buffer.from(JSON.stringify({ apiVersion: 'cairn/v1', kind: 'RiskAnswers', answers }));
}

/** Errors of the query itself; the version operator gets the same. Others may pass. */
const QUERY_ERRORS: readonly unknown[] = ['bad_data', 'execution'];

/** The answer of Prometheus; null if it did not evaluate the query. */
function answerIn(body: Uint8Array): { readonly data: unknown } | { readonly error: string } | null {
  const { status, data, errorType, error } = parsed(body) ?? {};
  if (status === 'success') return { data };
  if (status !== 'error' || !QUERY_ERRORS.includes(errorType)) return null;
  return { error: shorten(`${String(errorType)}: ${String(error)}`) };
}

function parsed(body: Uint8Array): Partial<Record<string, unknown>> | null {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as Partial<Record<string, unknown>> | null;
  } catch {
    return null;
  }
}

function shorten(text: string): string {
  return singleLine(text).slice(0, MOST_CHARACTERS);
}
