import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import type { Block } from '@cairn/shared/text/blocks';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import type { Insight, UpdateStatus } from '@cairn/shared/update-status/answer';
import { statusInput } from '@cairn/shared/update-status/input';
import type { RunState } from '@cairn/shared/update-status/runs/cluster-status';
import { EXIT, notKnown } from '../../runtime/exit.ts';
import { statusReport } from '../../update-status/report.ts';
import type { StatusDetails } from '../../update-status/schema.ts';
import { accepted, jsonOf, type Service, type ServiceAnswer } from '../service/service.ts';
import { sendDocuments } from './read-documents.ts';

/** What `cairn status` shows at one moment. */
export interface StatusView {
  readonly body: Uint8Array;
  readonly document: () => readonly Block[];
  /** One line per cluster, by its name. */
  readonly lines: ReadonlyMap<string, string>;
  readonly exitCode: number;
  /** Hints for the user about the exit code. */
  readonly hints: readonly string[];
  readonly isOver: boolean;
}

export async function statusOfDocuments(
  service: Service,
  documents: Uint8Array,
  query: URLSearchParams,
  details: StatusDetails,
): Promise<StatusView> {
  const question = { method: 'POST', path: '/v1/update-status', query } as const;
  const answer = await sendDocuments(service, documents, question, [400]);
  if (answer.status === 400) refuseMissing(documents);
  return viewOf(accepted(answer), details);
}

/** Readable documents of which some are missing have their own exit code. */
function refuseMissing(documents: Uint8Array): void {
  const reading = splitDocuments(
    documents,
    new ClusterReader({ isOneCluster: true, isRemovedApi: () => false }),
  );
  const input = reading.ok ? statusInput(reading.facts) : null;
  if (input?.ok === false) throw notKnown(input.problem);
}

export async function statusOfCluster(
  service: Service,
  cluster: string,
  query: URLSearchParams,
  details: StatusDetails,
): Promise<StatusView> {
  const path = `/v1/clusters/${encodeURIComponent(cluster)}/update-status`;
  const answer = await service.ask({ method: 'GET', path, query });
  // The cluster reports, but not enough.
  if (answer.status === 409) throw notKnown((jsonOf(answer) as { readonly detail: string }).detail);
  return viewOf(accepted(answer), details);
}

type Status = Omit<UpdateStatus, 'state'> & { readonly state: RunState };

function viewOf(answer: ServiceAnswer, details: StatusDetails): StatusView {
  const status = jsonOf(answer) as Status;
  return {
    body: answer.body,
    document: () => statusReport(status, details),
    lines: new Map([['', `${status.state}: ${status.summary}`]]),
    ...exitOf(status),
    isOver: !status.updating,
  };
}

/** Nothing is known of a silent cluster. */
function exitOf({ state, insights, missing, pools }: Status): Pick<StatusView, 'exitCode' | 'hints'> {
  const exitCode = exitCodeOfState(state, insights);
  // Without MachineConfigs, updated nodes of a pool look like outdated ones. Hosted clusters have no pools.
  const lacking = missing.filter(
    (resource) => resource === 'nodes' || (resource === 'machineconfigs' && pools.length > 0),
  );
  if (exitCode === EXIT.blocked || exitCode === EXIT.unknown || lacking.length === 0) {
    return { exitCode, hints: [] };
  }
  return {
    exitCode: EXIT.unknown,
    hints: [
      `${joinInWords(lacking)} are missing, so the state of the nodes is unknown. Send the output of:`,
      ...lacking.map((resource) => `  oc get ${resource} -o json`),
    ],
  };
}

function exitCodeOfState(state: RunState, insights: readonly Pick<Insight, 'level'>[]): number {
  if (state === 'silent') return EXIT.unknown;
  const isBroken = insights.some(({ level }) => level === 'Error' || level === 'Critical');
  if (state === 'stalled' || isBroken) return EXIT.blocked;
  return state === 'slow' || state === 'held' ? EXIT.actionRequired : EXIT.ready;
}

interface FleetLine {
  readonly id: string;
  readonly state: RunState;
  readonly from: string | null;
  readonly to: string;
  readonly percent: number | null;
  readonly nodes: { readonly updated: number; readonly total: number };
  readonly worstLevel: Insight['level'] | null;
  readonly attention: { readonly subject: string; readonly what: string; readonly detail: string } | null;
  readonly lastProgressAt: string | null;
  readonly forecast: { readonly likelyAt: string } | null;
}

interface FleetPage {
  readonly clusters: readonly FleetLine[];
  readonly nextCursor: string | null;
}

/** The worst first. */
const EXITS_BY_WEIGHT = [EXIT.blocked, EXIT.unknown, EXIT.actionRequired, EXIT.ready];

export async function statusOfFleet(service: Service): Promise<StatusView> {
  const clusters: FleetLine[] = [];
  let cursor: string | null = null;
  let page: FleetPage;
  do {
    const query: URLSearchParams = new URLSearchParams(cursor === null ? {} : { cursor });
    const answer = await service.ask({ method: 'GET', path: '/v1/fleet/updates', query });
    page = jsonOf(accepted(answer)) as FleetPage;
    clusters.push(...page.clusters);
    cursor = page.nextCursor;
  } while (cursor !== null);
  const exits = clusters.map(({ state, worstLevel }) =>
    exitCodeOfState(state, worstLevel === null ? [] : [{ level: worstLevel }]),
  );
  return {
    body: Buffer.from(JSON.stringify({ ...page, clusters })),
    document: () => fleetReport(clusters),
    lines: new Map(clusters.map((line) => [line.id, fleetText(line)])),
    exitCode: EXITS_BY_WEIGHT.find((code) => exits.includes(code)) ?? EXIT.ready,
    hints: [],
    isOver: clusters.every(({ state }) => state === 'completed'),
  };
}

function fleetReport(clusters: readonly FleetLine[]): Block[] {
  if (clusters.length === 0) return [{ kind: 'paragraph', text: 'No cluster of the fleet updates.' }];
  const states = [...new Set(clusters.map(({ state }) => state))].map(
    (state) => `${clusters.filter((line) => line.state === state).length} ${state}`,
  );
  return [
    { kind: 'paragraph', text: `${countInWords(clusters.length, 'cluster')}: ${states.join(', ')}.` },
    {
      kind: 'table',
      header: [
        'CLUSTER',
        'STATE',
        'FROM',
        'TO',
        'CONTROL PLANE',
        'NODES',
        'LAST PROGRESS',
        'LIKELY END',
        'ATTENTION',
      ],
      rows: clusters.map((line) => [
        line.id,
        line.state,
        line.from ?? '-',
        line.to,
        percentText(line),
        nodesText(line),
        line.lastProgressAt ?? '-',
        line.forecast?.likelyAt ?? '-',
        attentionText(line),
      ]),
      whole: [0, 1, 3, 4, 5, 8],
    },
  ];
}

function fleetText(line: FleetLine): string {
  const attention = attentionText(line);
  return `${line.id} ${line.state}: ${line.from ?? '-'} → ${line.to}, ${percentText(line)} of the control plane, ${nodesText(line)} nodes${attention === '' ? '' : `, ${attention}`}`;
}

function percentText({ percent }: FleetLine): string {
  return percent === null ? '-' : `${percent}%`;
}

function nodesText({ nodes }: FleetLine): string {
  return `${nodes.updated}/${nodes.total}`;
}

function attentionText({ attention }: FleetLine): string {
  return attention === null
    ? ''
    : [attention.subject, attention.what, attention.detail].filter((text) => text !== '').join(' ');
}
