import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FetchFailure } from '../../../functions/outbound/failures.ts';

/** One bad response of `reliability.md` 6.2 (`id` is its number), served by a stub on loopback. */
export interface HostileCase {
  readonly id: number;
  readonly name: string;
  /**
   * Required result of the sync after `baselineGraph()`: keep the last good state, publish without the faulty part,
   * publish unchanged, or hold for review.
   */
  readonly expect: 'refused' | 'repaired' | 'accepted' | 'held';
  /** Error of the fetch. Without it, the body passes and later steps judge it. */
  readonly code?: FetchFailure;
  readonly respond: Respond;
  /** Served over TLS with this fault instead of plain HTTP. */
  readonly tls?: TlsFault;
  /** Addresses of the upstream name at the nth lookup, instead of loopback. */
  readonly addresses?: (lookup: number) => readonly string[];
}

/** `visit` counts the requests for this case since the start of the stub, from 1. */
export type Respond = (request: IncomingMessage, response: ServerResponse, visit: number) => void;

export type TlsFault = 'expired' | 'wrong-host' | 'self-signed' | 'unknown-authority' | 'tls-1.0' | 'tls-1.1';

export interface GraphAnswer {
  version?: unknown;
  nodes: GraphNode[];
  edges: unknown[];
  conditionalEdges?: unknown[];
  [key: string]: unknown;
}

export interface GraphNode {
  version: unknown;
  payload?: unknown;
  metadata?: Record<string, unknown>;
}

const BASELINE_NODES = 40;

/** The good state before every case: `stable-4.12` for amd64, 4.12.0 to 4.12.39. A new copy per call. */
export function baselineGraph(nodes = BASELINE_NODES): GraphAnswer {
  return {
    version: 1,
    nodes: Array.from({ length: nodes }, (_, index) => releaseNode(`4.12.${index}`)),
    // Each release leads to the next five.
    edges: Array.from({ length: nodes }, (_, from) =>
      [1, 2, 3, 4, 5].map((step) => [from, from + step]).filter(([, to]) => to! < nodes),
    ).flat(),
    conditionalEdges: [
      {
        edges: [{ from: '4.12.0', to: '4.12.10' }],
        risks: [
          {
            name: 'SlowBootOnOldFirmware',
            url: 'https://issues.example.com/browse/EX-1',
            message: 'Machines with old firmware may take an hour to boot.',
            matchingRules: [
              { type: 'PromQL', promql: { promql: 'max(cluster_infrastructure_provider{type="None"})' } },
            ],
          },
        ],
      },
    ],
  };
}

export function releaseNode(version: string, digestOf = version): GraphNode {
  const digest = createHash('sha256').update(digestOf).digest('hex');
  return {
    version,
    payload: `quay.io/openshift-release-dev/ocp-release@sha256:${digest}`,
    metadata: {
      'io.openshift.upgrades.graph.release.channels': 'candidate-4.12,fast-4.12,stable-4.12',
      'io.openshift.upgrades.graph.release.manifestref': `sha256:${digest}`,
      url: 'https://access.redhat.com/errata/RHSA-2023:0001',
    },
  };
}

/** A 200 with a complete, correctly framed JSON body. */
export function answer(body: string | Buffer, headers: Record<string, string | string[]> = {}): Respond {
  return (_request, response) => {
    const bytes = Buffer.from(body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': bytes.length,
      ...headers,
    });
    response.end(bytes);
  };
}

/** Creates the body on first use: large ones would slow down every test run. */
export function answerLazily(make: () => string | Buffer, headers: Record<string, string> = {}): Respond {
  let respond: Respond | null = null;
  return (request, response, visit) => {
    respond ??= answer(make(), headers);
    respond(request, response, visit);
  };
}

export function answerGraph(change: (graph: GraphAnswer) => GraphAnswer | void): Respond {
  const graph = baselineGraph();
  return answer(JSON.stringify(change(graph) ?? graph));
}
