import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pairName } from '@cairn/shared/releases/channel';
import { getChannelIndex, getChannel, listChannels } from '../../channels/endpoints.ts';
import type { AnyEndpoint, HttpEvent } from '../../http/endpoint.ts';
import { matchPath } from '../../http/match-path.ts';
import { httpHandler } from '../../http/pipeline.ts';
import type { HttpResult } from '../../http/reply.ts';
import { type Route, routeKey } from '../../http/route.ts';
import { upgradePathEndpoints } from '../../paths/endpoints.ts';
import { planUpgradeEndpoint } from '../../plans/endpoints.ts';
import { pruneEvaluationEndpoints } from '../../prune-evaluations/endpoints.ts';
import { ReleaseReader } from '../../releases/release-reader.ts';
import type { KnownPairs, PairState } from '../../releases/sync-state.ts';
import { riskEvaluationEndpoints } from '../../risks/evaluations.ts';
import { type RouteId, routes } from '../../routes.ts';
import type { Log } from '../../runtime/log.ts';
import { updateStatusEndpoints } from '../../update-status/endpoints.ts';
import type { Uploads } from '../../uploads/store.ts';
import { installableVersionEndpoints } from '../../versions/endpoints.ts';
import { versionEndpoints } from '../../versions/version-detail.ts';
import { inMemoryPublications } from './in-memory-publications.ts';
import type { KnownGraph, SavedReleases } from './saved-graphs.ts';
import type { Question, Service, ServiceAnswer } from './service.ts';

/** One day: users know the age of graphs from a file. */
const SYNC = { intervalMs: 24 * 3600_000, retirementGraceMs: Infinity };

/** Same routes, checks and responses as a Cairn, from graphs in memory and without network access. */
export function offlineService(releases: SavedReleases, clock: () => number): Service {
  const uploads = new Map<string, Uint8Array>();
  const endpoints = endpointsOf(releases, uploads, clock);
  const own: readonly Route[] = routes.filter(({ id }) => id in endpoints);
  const respond = httpHandler({ routes: { own, all: async () => routes }, endpoints, log: rethrow });
  return {
    async ask(question) {
      return answerOf(await respond(eventOf(question, own), {}));
    },
    async upload(bytes) {
      const id = randomBytes(16).toString('base64url');
      uploads.set(id, bytes);
      return id;
    },
  };
}

function endpointsOf(
  releases: SavedReleases,
  uploads: ReadonlyMap<string, Uint8Array>,
  clock: () => number,
): Partial<Record<RouteId, AnyEndpoint>> & Record<string, AnyEndpoint> {
  const documents = inMemoryPublications(releases, clock);
  const states = pairsOf(releases.graphs);
  const openUploads = async (): Promise<Uploads> => ({
    create: () => Promise.reject(new Error('uploads stay in memory here')),
    open: async (id) => (uploads.has(id) ? Readable.from([uploads.get(id)!]) : null),
  });
  const reader = new ReleaseReader(documents);
  // No other requests compete for CPU.
  const cpuTime = () => 0;
  return {
    ...installableVersionEndpoints(documents),
    listChannels: listChannels(documents),
    getChannelIndex: getChannelIndex(documents),
    getChannel: getChannel(documents, states, clock, SYNC),
    ...versionEndpoints(documents, clock),
    ...upgradePathEndpoints({ documents, states, clock, sync: SYNC, cpuTime }),
    ...planUpgradeEndpoint({ reader, states, clock, sync: SYNC }, openUploads),
    ...riskEvaluationEndpoints({ reader, documents }, openUploads),
    ...pruneEvaluationEndpoints({ openUploads, clock }),
    ...updateStatusEndpoints({ openUploads, clock }),
  };
}

function pairsOf(graphs: readonly KnownGraph[]): KnownPairs {
  const states = new Map(
    graphs.map(({ channel, arch, graph, syncedAt, publishedAt }): [string, PairState] => [
      pairName(channel, arch),
      {
        outcome: 'Unchanged',
        revision: '0',
        lastAttemptAt: syncedAt,
        lastSuccessAt: syncedAt,
        lastChangeAt: publishedAt,
        nodes: graph.nodes.length,
        edges: graph.edges.targets.length + graph.conditional.targets.length,
        error: null,
        held: null,
        missing: {},
        repairs: [],
        payloadConflicts: [],
      },
    ]),
  );
  return { get: async (pair) => states.get(pair) };
}

function eventOf({ method, path, query, body, headers = {} }: Question, own: readonly Route[]): HttpEvent {
  const match = matchPath(own, path).find(({ route }) => route.method === method);
  return {
    routeKey: match ? routeKey(match.route) : '$default',
    rawPath: path,
    rawQueryString: query?.toString() ?? '',
    headers: { 'content-type': 'application/json', ...headers },
    pathParameters: { ...match?.pathParameters },
    ...(body && { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: true,
    requestContext: { requestId: 'here', http: { method } },
  };
}

function answerOf({ statusCode = 200, headers = {}, body = '', isBase64Encoded }: HttpResult): ServiceAnswer {
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** An unexpected error is a bug of this program, so it ends the command. */
const rethrow: Log = {
  info: () => {},
  warn: () => {},
  error: (_message, fields) => {
    throw fields?.['error'];
  },
};
