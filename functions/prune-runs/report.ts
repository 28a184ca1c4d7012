import { storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { inColumns } from '@cairn/shared/text/as-text';
import { durationText } from '@cairn/shared/text/duration';
import { cleanLine } from '@cairn/shared/text/quote';
import { bytesText, countInWords } from '@cairn/shared/text/words';
import type { ActiveRunView, ReportView } from './view.ts';

/** Of lists that JSON has whole. */
const MOST_ROWS = 100;
type Plan = NonNullable<ReportView['plan']>;
type Cluster = NonNullable<ReportView['cluster']>;

/**
 * What a run came to, for a person. All but commands are comments of a shell, so that those of a registry that is not
 * Managed can be run from it, and no name in a document can make a line of its own.
 */
export function reportAsText(view: ReportView): string {
  const { plan, cluster } = view;
  const comments = [
    ...(view.dryRun ? [['DRY RUN: nothing was deleted and nothing condemned']] : []),
    heading(view),
    ...(plan === null ? [] : planBlocks(plan, view)),
    deletedBlock(view),
    keysBlock('Could not be deleted; what comes after it was left:', refusedLines(view)),
    keysBlock('Came into use meanwhile and were brought back:', view.revivedKeys, view.revived),
    keysBlock('LOST: came into use meanwhile and could not be brought back:', view.lostKeys),
    ...(cluster === null ? [] : clusterBlocks(cluster)),
  ];
  const blocks = comments
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `# ${line}`.trimEnd()).join('\n'));
  const commands = (cluster?.commands ?? []).map(({ about, command }) => `# ${cleanLine(about)}\n${command}`);
  return `${[...blocks, ...commands].join('\n\n')}\n`;
}

export function activeRunAsText(view: ActiveRunView): string {
  const { id, state, trigger, dryRun, startedAt, phase, listed, planned, percent } = view;
  const lines = [
    ...(dryRun ? ['DRY RUN: nothing is deleted'] : []),
    `Run ${id}, ${STARTED[trigger]}, begun at ${startedAt}: ${state}`,
    `Phase ${phase}: ${countInWords(listed, 'object')} listed${phase === 'inventory' ? ' so far' : ''}`,
    ...(phase === 'delete' || phase === 'revive' ? [`${countInWords(planned, 'object')} to go`] : []),
    ...(percent === null ? [] : [`${percent} % of them are deleted`]),
  ];
  return `${lines.map((line) => `# ${line}`).join('\n')}\n`;
}

const STARTED = { schedule: 'by its schedule', manual: 'by hand' } as const;

function heading(view: ReportView): string[] {
  const { id, pruner, trigger, startedAt, finishedAt, outcome, reason, message } = view;
  // What follows says the same.
  const isSaid = reason === 'DryRun' || message === '' || message === view.plan?.breaker?.message;
  const took = durationText(Date.parse(finishedAt) - Date.parse(startedAt), 2);
  return [
    `Run ${id} of ${pruner}, ${STARTED[trigger]}, took ${took}`,
    cleanLine(`${outcome}: ${reason}${isSaid ? '' : `, ${message}`}`),
  ];
}

const STATES = ['kept', 'in-use', 'protected', 'young', 'frozen', 'condemned', 'unlinked', 'swept'] as const;

function planBlocks(plan: Plan, view: ReportView): string[][] {
  return [
    breakerBlock(plan, view),
    totalsBlock(plan, view),
    reasonsBlock(plan),
    frozenBlock(plan),
    exampleBlock(plan, storageRoot(view.spec.target.prefix)),
  ];
}

function breakerBlock({ breaker, planHash }: Plan, { pruner, dryRun, spec }: ReportView): string[] {
  if (breaker === null) return [];
  const stopped = dryRun ? 'A real run would be STOPPED' : 'STOPPED';
  const agree = [
    'Read below what would go. If that is right, agree to this very plan:',
    ...(spec.dryRun ? ['  first set dryRun of the pruner to false, then'] : []),
    `  POST /v1/image-pruners/${pruner}/runs {"agree": "${planHash}"}`,
  ];
  return [
    cleanLine(`${stopped} by a circuit breaker, ${breaker.reason}: ${breaker.message}`),
    ...(breaker.reason === 'TooMuch' ? agree : []),
  ];
}

function totalsBlock({ breaker, planHash, blobs, totals: byKind }: Plan, { dryRun }: ReportView): string[] {
  const staying = STATES.filter((state) => state !== 'unlinked' && state !== 'swept');
  return [
    `Plan ${planHash}: of ${countInWords(blobs.all.count, 'blob')} (${bytesText(blobs.all.bytes)}), ${blobs.condemned.count} (${bytesText(blobs.condemned.bytes)}) are to go now or later`,
    ...table(
      [
        'KIND',
        ...staying.map((state) => state.toUpperCase()),
        dryRun || breaker !== null ? 'WOULD GO NOW' : 'GO NOW',
        'BYTES',
      ],
      Object.entries(byKind).map(([kind, totals]) => [
        kind,
        ...staying.map((state) => String(totals[state].count)),
        String(totals.unlinked.count + totals.swept.count),
        bytesText(totals.unlinked.bytes + totals.swept.bytes),
      ]),
      Array.from({ length: staying.length + 2 }, (_, index) => index + 1),
    ),
  ];
}

function reasonsBlock({ reasons }: Plan): string[] {
  if (reasons.length === 0) return [];
  const rows = reasons.map(({ kind, reason, count, bytes }) => [
    kind,
    reason,
    String(count),
    bytesText(bytes),
  ]);
  return ['Why, now or later:', ...table(['KIND', 'REASON', 'COUNT', 'BYTES'], rows, [2, 3])];
}

function frozenBlock({ frozen, frozenTotal }: Plan): string[] {
  if (frozenTotal === 0) return [];
  const rows = frozen.slice(0, MOST_ROWS).map(({ repository, reason }) => [repository, reason]);
  return [
    'Frozen, nothing is touched in these repositories:',
    ...table(['REPOSITORY', 'WHY'], rows),
    ...andMore(frozenTotal - Math.min(frozen.length, MOST_ROWS)),
  ];
}

function exampleBlock({ examples, examplesTotal }: Plan, root: string): string[] {
  if (examples.length === 0) return [];
  return [
    `What goes now or later, the first of each kind, below ${root}`,
    ...withKeys(
      ['KIND', 'WHEN', 'REASON', 'BYTES'],
      examples.map(({ kind, goes, since, reason, bytes }) => [
        kind,
        goes ? 'now' : since === null ? 'after its links' : `condemned ${since}`,
        reason,
        bytesText(bytes),
      ]),
      [3],
      examples.map(({ key }) => (key.startsWith(root) ? key.slice(root.length) : key)),
    ),
    ...andMore(examplesTotal - examples.length),
  ];
}

function deletedBlock({ deleted }: ReportView): string[] {
  const rows = Object.entries(deleted);
  if (rows.length === 0) return [];
  return [
    'Deleted:',
    ...table(
      ['KIND', 'COUNT', 'BYTES'],
      rows.map(([kind, { count, bytes }]) => [kind, String(count), bytesText(bytes)]),
      [1, 2],
    ),
  ];
}

function refusedLines({ refused }: ReportView): string[] {
  return refused.map(({ key, code }) => `${key}: ${code}`);
}

function keysBlock(title: string, keys: readonly string[], total = keys.length): string[] {
  if (keys.length === 0) return [];
  const shown = keys.slice(0, MOST_ROWS);
  return [title, ...shown.map((key) => `  ${cleanLine(key)}`), ...andMore(total - shown.length)];
}

function clusterBlocks(cluster: Cluster): string[][] {
  const { examined, tagItems, tagItemsTotal, images, imagesTotal, inCommands, commands } = cluster;
  const isWhole = inCommands.tagItems === tagItemsTotal && inCommands.images === imagesTotal;
  return [
    [
      `Of ${countInWords(examined.imageStreams, 'ImageStream')}, ${countInWords(examined.tagItems, 'revision')} of tags and ${countInWords(examined.images, 'Image')}, as of ${cluster.collectedAt}:`,
      `${countInWords(tagItemsTotal, 'revision')} and ${countInWords(imagesTotal, 'Image')} would go`,
    ],
    tagItems.length === 0
      ? []
      : [
          'Revisions of tags:',
          ...table(
            ['TAG', 'REVISION', 'IMAGE', 'REASON'],
            tagItems.map(({ repository, tag, revision, digest, reason }) => [
              `${repository}:${tag}`,
              String(revision + 1),
              shortDigest(digest),
              reason,
            ]),
            [1],
          ),
          ...andMore(tagItemsTotal - tagItems.length),
        ],
    images.length === 0
      ? []
      : [
          'Images:',
          ...table(
            ['IMAGE', 'CREATED', 'REASON'],
            images.map(({ digest, createdAt, reason }) => [shortDigest(digest), createdAt ?? '-', reason]),
          ),
          ...andMore(imagesTotal - images.length),
        ],
    commands.length === 0
      ? []
      : [
          ...(isWhole
            ? []
            : ['The commands are for a part of them; run the pruner again when these are gone.']),
          'Look at the commands, then run them. A patch does nothing and says so when the tag has changed meanwhile;',
          'then let the pruner run again before any Image is deleted.',
        ],
  ];
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string[] {
  return inColumns([head, ...rows], { numbers }).map((line) => `  ${line}`);
}

/** Keys are longer than a cell may be, and of no use when they are cut. */
function withKeys(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
  keys: readonly string[],
): string[] {
  const lines = table(head, rows, numbers);
  const width = Math.max(...lines.map((line) => line.length));
  return lines.map(
    (line, index) => `${line.padEnd(width)}  ${index === 0 ? 'KEY' : cleanLine(keys[index - 1]!)}`,
  );
}

function andMore(more: number): string[] {
  return more > 0 ? [`  and ${more} more`] : [];
}

/** `sha256:0123456789ab` */
function shortDigest(digest: string): string {
  return digest.slice(0, 'sha256:'.length + 12);
}
