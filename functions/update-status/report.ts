import { DOCUMENT_KINDS } from '@cairn/shared/cluster/document-kinds';
import { type Block, type Table } from '@cairn/shared/text/blocks';
import { singleLines } from '@cairn/shared/text/quote';
import type {
  ControlPlaneStatus,
  Insight,
  InsightResource,
  UpdatingOperator,
  UpdateStatus,
  UpdateTarget,
} from '@cairn/shared/update-status/answer';
import { clockText } from '@cairn/shared/update-status/times';
import { nodeBlocks, poolsBlocks } from './report-pools.ts';
import type { StatusDetails } from './schema.ts';

/** Sections in the order of `oc adm upgrade status`. */
export function statusReport(status: Omit<UpdateStatus, 'state'>, details: StatusDetails): Block[] {
  const { controlPlane, target, pools, insights, summary } = status;
  if (controlPlane === null || target === null) return [{ kind: 'paragraph', text: `${summary}.` }];
  const shows = (part: StatusDetails): boolean => details === part || details === 'all';
  const masters = pools.filter(({ role }) => role === 'control-plane');
  const workers = pools.filter(({ role }) => role === 'worker');
  return [
    { kind: 'heading', text: 'Control plane' },
    ...controlPlaneBlocks(controlPlane, target),
    ...(shows('operators') ? operatorBlocks(controlPlane.updatingOperators, status.at) : []),
    ...masters.flatMap((pool) => nodeBlocks(pool, shows('nodes'))),
    ...poolsBlocks(workers, shows('nodes')),
    ...healthBlocks(insights, status.at, shows('health')),
  ];
}

const ASSESSMENTS: Readonly<Record<ControlPlaneStatus['assessment'], string>> = {
  Progressing: 'Progressing',
  ProgressingSlow: 'Progressing - Slow',
  Stalled: 'Stalled',
  Completed: 'Completed',
  Unknown: 'Unknown',
};

function controlPlaneBlocks(controlPlane: ControlPlaneStatus, target: UpdateTarget): Block[] {
  const { assessment, completion, duration, remaining, updatingOperators, completedAt } = controlPlane;
  if (assessment === 'Completed') {
    const moment =
      completedAt === null
        ? 'is at its end; the ClusterVersion does not show the completion yet'
        : `completed at ${new Date(completedAt).toISOString().replace('.000Z', 'Z')}`;
    return [{ kind: 'paragraph', text: `Update to ${target.text} ${moment} (duration: ${duration}).` }];
  }
  const { percent, updated, updating, waiting, uncertain } = completion;
  const operators = updatingOperators.map(({ name }) => name).join(', ');
  const numbers = `${updated} operators updated, ${updating} updating, ${waiting} waiting`;
  const rest = remaining?.text ?? null;
  return [
    table(
      ['Assessment:', ASSESSMENTS[assessment]],
      [
        ['Target version:', target.text],
        ...(operators === '' ? [] : [['Updating:', operators]]),
        [
          'Completion:',
          `${percent === null ? '-' : `${percent}%`} (${numbers})${uncertain ? ', uncertain' : ''}`,
        ],
        ['Duration:', rest === null ? duration : `${duration} (estimated time remaining: ${rest})`],
        ['Operator health:', healthText(controlPlane.health)],
      ],
    ),
  ];
}

/** Numbers of zero are left out, except the healthy ones. */
function healthText({ healthy, unavailable, degraded }: ControlPlaneStatus['health']): string {
  return [
    `${healthy} healthy`,
    ...(unavailable > 0 ? [`${unavailable} unavailable`] : []),
    ...(degraded > 0 ? [`${degraded} available but degraded`] : []),
  ].join(', ');
}

const LONGEST_REASON = 20;

function operatorBlocks(operators: readonly UpdatingOperator[], at: string): Block[] {
  if (operators.length === 0) return [];
  return [
    { kind: 'subheading', text: 'Updating cluster operators' },
    table(
      ['NAME', 'SINCE', 'REASON', 'MESSAGE'],
      operators.flatMap(({ name, since, reason, message }) => {
        const [first = '-', ...others] = singleLines(message);
        return [
          [name, sinceText(since, at), shortReason(reason), first],
          ...others.map((line) => ['', '', '', line]),
        ];
      }),
    ),
  ];
}

function shortReason(reason: string | null): string {
  if (reason === null) return '-';
  return reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON - 3)}...`;
}

function sinceText(since: string | null, at: string): string {
  return since === null ? '-' : clockText((Date.parse(at) - Date.parse(since)) / 1000);
}

function healthBlocks(insights: readonly Insight[], at: string, isDetailed: boolean): Block[] {
  const isWell = insights.every(({ origin, type }) => origin === 'oc' && type === 'ProceedingWell');
  const shown = isWell ? insights : insights.filter(({ type }) => type !== 'ProceedingWell');
  const heading: Block = { kind: 'heading', text: 'Update health' };
  if (isDetailed) return [heading, ...shown.map((insight) => insightBlock(insight, at))];
  const rows = shown.map(({ since, level, impact, message }) => [
    sinceText(since, at),
    level,
    impact,
    message,
  ]);
  return [
    heading,
    table(['SINCE', 'LEVEL', 'IMPACT', 'MESSAGE'], rows),
    ...(isWell ? [] : [hint('Add --details=health for descriptions and references.')]),
  ];
}

function insightBlock(insight: Insight, at: string): Block {
  const { message, since, level, impact, reference, resources, description } = insight;
  const [first = '', ...others] = singleLines(description);
  return {
    kind: 'lines',
    lines: [`Message: ${message}`],
    items: [
      `Since: ${sinceText(since, at)}`,
      `Level: ${level}`,
      `Impact: ${impact}`,
      `Reference: ${reference ?? '-'}`,
      ...resources.map((resource) => `Resource: ${resourceText(resource)}`),
      `Description: ${first}`,
      ...others,
    ],
  };
}

/** `clusteroperators.config.openshift.io: etcd` */
function resourceText({ group, kind, namespace, name }: InsightResource): string {
  const row = DOCUMENT_KINDS.find((each) => each.kind === kind && each.group === group);
  const plural = row?.resource ?? `${kind.toLowerCase()}s`;
  return `${plural}${group === '' ? '' : `.${group}`}: ${namespace === null ? '' : `${namespace}/`}${name}`;
}

function hint(text: string): Block {
  return { kind: 'paragraph', text };
}

/** No cell is truncated. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', header, rows, whole: header.map((_, column) => column) } satisfies Table & Block;
}
