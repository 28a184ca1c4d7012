import type { InputSummary } from '@cairn/shared/cluster/object-reader';
import { groupBy } from '@cairn/shared/collection/group-by';
import type { ResourceDocument } from '@cairn/shared/prune/objects/documents';
import { describeResource, kindText } from '@cairn/shared/prune/objects/resource';
import { asShell } from '@cairn/shared/text/as-text';
import { type Block, lines, listing } from '@cairn/shared/text/blocks';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import {
  ageText,
  type JudgedDocument,
  type ResourceVerdict,
  policyView,
  type ResourcePolicy,
} from './resources.ts';

/** Per list; `…Total` has the full number. */
const MOST_LISTED = 1000;
/** Rows per list in the text. JSON has more. */
const MOST_ROWS = 100;

export function verdictView(verdict: ResourceVerdict, policy: ResourcePolicy, input: InputSummary) {
  const listed = (documents: readonly JudgedDocument[]) =>
    documents.slice(0, MOST_LISTED).map((judged) => documentView(judged, policy.now));
  return {
    policy: policyView(policy),
    examined: verdict.examined,
    filtered: verdict.filtered,
    selectedTotal: verdict.selected.length,
    selected: listed(verdict.selected),
    notTriedTotal: verdict.notTried.length,
    notTried: listed(verdict.notTried),
    protectedTotal: verdict.protected.length,
    protected: listed(verdict.protected),
    keptTotal: verdict.kept.length,
    kept: listed(verdict.kept),
    inCommands: verdict.inCommands,
    commands: verdict.commands.map(({ command }) => command),
    input,
  };
}

function documentView({ object, reason }: JudgedDocument, now: Date) {
  const { kind, namespace, name, createdAt } = describeResource(object);
  return {
    kind: kindText(kind),
    namespace,
    name,
    createdAt: createdAt?.toISOString() ?? null,
    age: createdAt && ageText(now.getTime() - createdAt.getTime()),
    reason,
  };
}

/** Renders a shell script with the commands. */
export function verdictAsText(verdict: ResourceVerdict, policy: ResourcePolicy): string {
  const { selected, notTried, protected: guarded, kept, commands, inCommands } = verdict;
  return asShell([
    lines(policyInWords(policy), outcomeInWords(verdict, policy)),
    ...selectedTable(selected, policy.now),
    ...protectedTable(guarded),
    ...(kept.length > 0 ? [lines(`Kept by the policy: ${countsByKind(kept)}`)] : []),
    ...(notTried.length > 0
      ? [lines(`Left for another time, as max_deletes is ${policy.maxDeletes}: ${countsByKind(notTried)}`)]
      : []),
    ...(selected.length > inCommands
      ? [lines(`The commands are for the ${inCommands} oldest; ask again when they are gone`)]
      : []),
    ...commands.map(commandBlock),
  ]);
}

function commandBlock({ command, kind, namespace, resources }: ResourceVerdict['commands'][number]): Block {
  const where = namespace === null ? '' : ` in ${namespace}`;
  const [first, last] = [resources[0]!, resources.at(-1)!].map(({ createdAt }) => timeText(createdAt!));
  const when = first === last ? `created ${first}` : `created ${first} to ${last}`;
  return { kind: 'command', about: `${resources.length} × ${kindText(kind)}${where}, ${when}`, command };
}

function policyInWords(policy: ResourcePolicy): string {
  const { kinds, namespaces, labels, owner, keepNewest, keepNewestPer, olderThan, match, failed } =
    policyView(policy);
  const newest = keepNewest === 1 ? 'the newest' : `the ${keepNewest} newest`;
  const per = keepNewestPer === null ? 'each kind' : `each ${keepNewestPer}`;
  const rules = [
    ...(keepNewest === null ? [] : [keepNewest === 0 ? 'whatever their age' : `all but ${newest} of ${per}`]),
    ...(olderThan === null ? [] : [`older than ${olderThan}`]),
  ];
  const limits = [
    ...(namespaces === null ? [] : [`in ${joinInWords(namespaces)}`]),
    ...(labels === null ? [] : [`with the labels ${labels}`]),
    ...(owner === null ? [] : [`of ${owner}`]),
  ];
  const what = [joinInWords(kinds), ...limits].join(' ');
  const which = joinInWords(rules, match === 'any' ? 'or' : 'and');
  return `Policy: ${what}: ${which}; failed ones are ${failed === 'keep' ? 'kept' : 'pruned'}`;
}

function outcomeInWords(verdict: ResourceVerdict, { now }: ResourcePolicy): string {
  const { examined, filtered, selected, protected: guarded, kept, notTried } = verdict;
  const parts = [
    `${selected.length} would go`,
    `${guarded.length} protected`,
    `${kept.length} kept`,
    ...(notTried.length > 0 ? [`${notTried.length} left for another time`] : []),
    ...(filtered > 0 ? [`${filtered} others not asked about`] : []),
  ];
  return `At ${timeText(now)}: ${countInWords(examined, 'object')} examined, ${parts.join(', ')}`;
}

function selectedTable(selected: readonly JudgedDocument[], now: Date): Block[] {
  return listing('Would go, oldest first:', selected.length, {
    header: ['KIND', 'NAMESPACE', 'NAME', 'AGE', 'REASON'],
    rows: selected.slice(0, MOST_ROWS).map((judged) => {
      const { kind, namespace, name, age, reason } = documentView(judged, now);
      return [kind, namespace ?? '-', name, age ?? '-', reason];
    }),
    numbers: [3],
  });
}

function protectedTable(documents: readonly JudgedDocument[]): Block[] {
  const groups = groupBy(documents, ({ object, reason }) => `${kindOf(object)}\0${reason}`);
  const rows = [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => [String(group.length), kindOf(group[0]!.object), group[0]!.reason]);
  const more = rows.slice(MOST_ROWS).reduce((sum, [count]) => sum + Number(count), 0);
  return listing('Protected:', Math.min(rows.length, MOST_ROWS) + more, {
    header: ['COUNT', 'KIND', 'REASON'],
    rows: rows.slice(0, MOST_ROWS),
    numbers: [0],
  });
}

function countsByKind(documents: readonly JudgedDocument[]): string {
  const groups = groupBy(documents, ({ object }) => kindOf(object));
  return joinInWords(Array.from(groups, ([kind, group]) => `${group.length} × ${kind}`));
}

function kindOf({ apiVersion, kind }: ResourceDocument): string {
  return `${apiVersion}/${kind}`;
}

/** Format: `2026-11-16T08:00:00Z`. */
function timeText(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
