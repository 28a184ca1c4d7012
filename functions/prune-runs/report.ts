import { shortDigest, storageRoot } from '@cairn/shared/prune/images/registry/storage-layout';
import { asShell } from '@cairn/shared/text/as-text';
import { type Block, lines, listing } from '@cairn/shared/text/blocks';
import { durationText } from '@cairn/shared/text/duration';
import { bytesText, countInWords } from '@cairn/shared/text/words';
import type { ActiveRunView, ReportView } from './view.ts';

/** Rows per list. JSON has all of them. */
const MOST_ROWS = 100;
type Plan = NonNullable<ReportView['plan']>;
type Cluster = NonNullable<ReportView['cluster']>;

/** Renders a shell script: the commands of a registry that is not `Managed` can be run from it. */
export function reportAsText(view: ReportView): string {
  const { plan, cluster, refused, revivedKeys, revived, lostKeys } = view;
  const refusedKeys = refused.map(({ key, code }) => `${key}: ${code}`);
  return asShell([
    ...(view.dryRun ? [lines('DRY RUN: nothing was deleted and nothing condemned')] : []),
    heading(view),
    ...(plan === null ? [] : planBlocks(plan, view)),
    ...deletedBlock(view),
    ...keysBlock('Could not be deleted; what comes after it was left:', refusedKeys),
    ...keysBlock('Came into use meanwhile and were brought back:', revivedKeys, revived),
    ...keysBlock('LOST: came into use meanwhile and could not be brought back:', lostKeys),
    ...(cluster === null ? [] : clusterBlocks(cluster)),
  ]);
}

export function activeRunAsText(view: ActiveRunView): string {
  const { id, state, trigger, dryRun, startedAt, phase, listed, planned, percent } = view;
  return asShell([
    lines(
      ...(dryRun ? ['DRY RUN: nothing is deleted'] : []),
      `Run ${id}, ${STARTED[trigger]}, begun at ${startedAt}: ${state}`,
      `Phase ${phase}: ${countInWords(listed, 'object')} listed${phase === 'inventory' ? ' so far' : ''}`,
      ...(phase === 'delete' || phase === 'revive' ? [`${countInWords(planned, 'object')} to go`] : []),
      ...(percent === null ? [] : [`${percent} % of them are deleted`]),
    ),
  ]);
}

const STARTED = { schedule: 'by its schedule', manual: 'by hand' } as const;

function heading(view: ReportView): Block {
  const { id, pruner, trigger, startedAt, finishedAt, outcome, reason, message } = view;
  // The plan or the dry-run line repeats these messages.
  const isSaid = reason === 'DryRun' || message === '' || message === view.plan?.breaker?.message;
  const took = durationText(Date.parse(finishedAt) - Date.parse(startedAt), 2);
  return lines(
    `Run ${id} of ${pruner}, ${STARTED[trigger]}, took ${took}`,
    `${outcome}: ${reason}${isSaid ? '' : `, ${message}`}`,
  );
}

const STAYING = ['kept', 'in-use', 'protected', 'young', 'frozen', 'condemned'] as const;

function planBlocks(plan: Plan, view: ReportView): Block[] {
  const { reasons, frozen, frozenTotal, examples, examplesTotal } = plan;
  const root = storageRoot(view.spec.target.prefix);
  return [
    ...breakerBlock(plan, view),
    totalsBlock(plan, view),
    ...listing('Why, now or later:', reasons.length, {
      header: ['KIND', 'REASON', 'COUNT', 'BYTES'],
      rows: reasons.map(({ kind, reason, count, bytes }) => [kind, reason, String(count), bytesText(bytes)]),
      numbers: [2, 3],
    }),
    ...listing('Frozen, nothing is touched in these repositories:', frozenTotal, {
      header: ['REPOSITORY', 'WHY'],
      rows: frozen.slice(0, MOST_ROWS).map(({ repository, reason }) => [repository, reason]),
    }),
    ...listing(`What goes now or later, the first of each kind, below ${root}`, examplesTotal, {
      header: ['KIND', 'WHEN', 'REASON', 'BYTES', 'KEY'],
      rows: examples.map(({ kind, goes, since, reason, bytes, key }) => [
        kind,
        goes ? 'now' : since === null ? 'after its links' : `condemned ${since}`,
        reason,
        bytesText(bytes),
        key.startsWith(root) ? key.slice(root.length) : key,
      ]),
      numbers: [3],
      whole: [4],
    }),
  ];
}

function breakerBlock({ breaker, planHash }: Plan, { pruner, dryRun, spec }: ReportView): Block[] {
  if (breaker === null) return [];
  const stopped = dryRun ? 'A real run would be STOPPED' : 'STOPPED';
  const why = `${stopped} by a circuit breaker, ${breaker.reason}: ${breaker.message}`;
  if (breaker.reason !== 'TooMuch') return [lines(why)];
  return [
    {
      kind: 'lines',
      lines: [why, 'Read below what would go. If that is right, agree to this very plan:'],
      items: [
        ...(spec.dryRun ? ['first set dryRun of the pruner to false, then'] : []),
        `POST /v1/image-pruners/${pruner}/runs {"agree": "${planHash}"}`,
      ],
    },
  ];
}

function totalsBlock({ breaker, planHash, blobs, totals: byKind }: Plan, { dryRun }: ReportView): Block {
  const { all, condemned } = blobs;
  const goNow = dryRun || breaker !== null ? 'WOULD GO NOW' : 'GO NOW';
  return {
    kind: 'lines',
    lines: [
      `Plan ${planHash}: of ${countInWords(all.count, 'blob')} (${bytesText(all.bytes)}), ${condemned.count} (${bytesText(condemned.bytes)}) are to go now or later`,
    ],
    table: {
      header: ['KIND', ...STAYING.map((state) => state.toUpperCase()), goNow, 'BYTES'],
      rows: Object.entries(byKind).map(([kind, totals]) => [
        kind,
        ...STAYING.map((state) => String(totals[state].count)),
        String(totals.unlinked.count + totals.swept.count),
        bytesText(totals.unlinked.bytes + totals.swept.bytes),
      ]),
      numbers: Array.from({ length: STAYING.length + 2 }, (_, index) => index + 1),
    },
  };
}

function deletedBlock({ deleted }: ReportView): Block[] {
  const kinds = Object.entries(deleted);
  return listing('Deleted:', kinds.length, {
    header: ['KIND', 'COUNT', 'BYTES'],
    rows: kinds.map(([kind, { count, bytes }]) => [kind, String(count), bytesText(bytes)]),
    numbers: [1, 2],
  });
}

function keysBlock(title: string, keys: readonly string[], total = keys.length): Block[] {
  return listing(title, total, keys.slice(0, MOST_ROWS));
}

function clusterBlocks(cluster: Cluster): Block[] {
  const { examined, tagItems, tagItemsTotal, images, imagesTotal, commands } = cluster;
  return [
    lines(
      `Of ${countInWords(examined.imageStreams, 'ImageStream')}, ${countInWords(examined.tagItems, 'revision')} of tags and ${countInWords(examined.images, 'Image')}, as of ${cluster.collectedAt}:`,
      `${countInWords(tagItemsTotal, 'revision')} and ${countInWords(imagesTotal, 'Image')} would go`,
    ),
    ...listing('Revisions of tags:', tagItemsTotal, {
      header: ['TAG', 'REVISION', 'IMAGE', 'REASON'],
      rows: tagItems.map(({ repository, tag, revision, digest, reason }) => [
        `${repository}:${tag}`,
        String(revision + 1),
        shortDigest(digest),
        reason,
      ]),
      numbers: [1],
    }),
    ...listing('Images:', imagesTotal, {
      header: ['IMAGE', 'CREATED', 'REASON'],
      rows: images.map(({ digest, createdAt, reason }) => [shortDigest(digest), createdAt ?? '-', reason]),
    }),
    ...(commands.length === 0 ? [] : [commandNotes(cluster)]),
    ...commands.map((command): Block => ({ kind: 'command', ...command })),
  ];
}

function commandNotes({ inCommands, tagItemsTotal, imagesTotal }: Cluster): Block {
  const isWhole = inCommands.tagItems === tagItemsTotal && inCommands.images === imagesTotal;
  return lines(
    ...(isWhole ? [] : ['The commands are for a part of them; run the pruner again when these are gone.']),
    'Look at the commands, then run them. A patch does nothing and says so when the tag has changed meanwhile;',
    'then let the pruner run again before any Image is deleted.',
  );
}
