import { groupBy } from '@cairn/shared/collection/group-by';
import {
  canBeInCommand,
  type DeleteCommand,
  deleteCommands,
} from '@cairn/shared/prune/objects/delete-commands';
import { createPruner } from '@cairn/shared/prune/objects/pruner';
import { Registry } from '@cairn/shared/prune/objects/prunable-kinds';
import { type Judged, type IsPrunable, notPrunable, PRUNABLE } from '@cairn/shared/prune/objects/report';
import { describeResource, kindText } from '@cairn/shared/prune/objects/resource';
import type { ResourceDocument } from '@cairn/shared/prune/objects/documents';
import {
  all,
  any,
  keepNewest,
  keepNewestPer,
  olderThan,
  type Strategy,
} from '@cairn/shared/prune/objects/strategies';
import { durationText } from '@cairn/shared/text/duration';
import type { Grouping, ResourcePolicy } from './resource-policy.ts';

export type JudgedDocument = Judged<ResourceDocument>;

/** What a policy does to objects; all lists are oldest first. */
export interface ResourceVerdict {
  readonly examined: number;
  /** Outside of the namespaces, labels or owner. */
  readonly filtered: number;
  readonly selected: readonly JudgedDocument[];
  /** Left by `max_deletes` for another time. */
  readonly notTried: readonly JudgedDocument[];
  readonly protected: readonly JudgedDocument[];
  readonly kept: readonly JudgedDocument[];
  readonly commands: readonly DeleteCommand[];
  /** How many of the selected ones the commands delete. */
  readonly inCommands: number;
}

/** More than anybody would paste. */
const MOST_IN_COMMANDS = 10_000;

/** What would go of the objects by a policy. Nothing is deleted, as there is no cluster here. */
export async function evaluateResources(
  documents: readonly ResourceDocument[],
  policy: ResourcePolicy,
): Promise<ResourceVerdict> {
  const namespaces = policy.namespaces && new Set(policy.namespaces);
  const within = documents.filter(({ metadata }) => namespaces?.has(metadata.namespace) ?? true);
  const byKind = groupBy(within, ({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  const report = await createPruner<ResourceDocument>({
    store: {
      list: ({ kind }) => byKind.get(kindText(kind)) ?? [],
      remove: () => Promise.reject(new Error('an evaluation deletes nothing')),
    },
    dryRun: true,
    kinds: policy.kinds,
    registry: registryFor(policy),
    strategy: strategyOf(policy),
    ...(policy.labels !== null && { labels: policy.labels }),
    ...(policy.owner !== null && { owner: policy.owner }),
    countUnprunable: policy.countUnprunable,
    now: policy.now,
  }).run();
  const most = policy.maxDeletes ?? Infinity;
  const selected = report.selected.slice(0, most);
  const named = selected.slice(0, MOST_IN_COMMANDS);
  return {
    examined: report.examined,
    filtered: report.filtered + documents.length - within.length,
    selected,
    notTried: report.selected
      .slice(most)
      .map(({ object }) => ({ object, reason: `max_deletes is ${most}, and older ones go first` })),
    protected: report.skipped,
    kept: report.kept.map(({ object }) => ({ object, reason: whyKept(object, policy) })),
    commands: deleteCommands(named.map(({ object }) => describeResource(object))),
    inCommands: named.length,
  };
}

/** Rules for every kind, so that reasons are in the words of the policy. */
function registryFor({ kinds, failed, allowUnregistered }: ResourcePolicy): Registry {
  const registry = Registry.withDefaults({ failed });
  const allowed = allowUnregistered.map(kindText);
  for (const kind of kinds) {
    const isPrunable =
      registry.get(kind) ?? (allowed.includes(kindText(kind)) ? ALWAYS : never(kindText(kind)));
    registry.register<ResourceDocument>(kind, (document, context) =>
      canBeInCommand(document.metadata)
        ? isPrunable(document, context)
        : notPrunable('it has a name that no command can safely have'),
    );
  }
  return registry;
}

const ALWAYS: IsPrunable<unknown> = () => PRUNABLE;

function never(kind: string): IsPrunable<unknown> {
  return () => notPrunable(`nothing tells when a ${kind} is finished; allow_unregistered lets it go`);
}

function strategyOf(policy: ResourcePolicy): Strategy<ResourceDocument> {
  const { keepNewest: newest, keepNewestPer: per, olderThan: age, match } = policy;
  const strategies: Strategy<ResourceDocument>[] = [];
  if (newest !== null) {
    strategies.push(
      per === null ? keepNewest(newest) : keepNewestPer((object) => keyOf(object, per), newest),
    );
  }
  if (age !== null) strategies.push(olderThan(age));
  return match === 'any' ? any(...strategies) : all(...strategies);
}

/** What the newest are counted by, in words; null for what is counted nowhere. */
function keyOf({ metadata }: ResourceDocument, per: Grouping): string | null {
  const { namespace, labels = {}, ownerReferences } = metadata;
  if (per.by === 'namespace') return namespace || null;
  const inNamespace = namespace && ` in ${namespace}`;
  if (per.by === 'label') {
    if (!Object.hasOwn(labels, per.label)) return null;
    return `${per.label}=${labels[per.label]}${inNamespace}`;
  }
  const owner = ownerReferences.find(({ controller }) => controller) ?? ownerReferences[0];
  return owner ? `${owner.kind}/${owner.name}${inNamespace}` : null;
}

function whyKept(document: ResourceDocument, policy: ResourcePolicy): string {
  const { keepNewest: newest, olderThan: limit, match, now } = policy;
  const age = now.getTime() - Date.parse(document.metadata.creationTimestamp);
  const isYoung = limit !== null && age <= limit;
  const young = isYoung ? [`${ageText(age)} old, not older than ${durationText(limit)}`] : [];
  const counted = newest === null ? [] : [whyCounted(document, newest, policy)];
  // By `all`, being young is enough; why else it stays then is not known.
  return (match === 'all' && isYoung ? young : [...counted, ...young]).join('; ');
}

function whyCounted(
  document: ResourceDocument,
  newest: number,
  { keepNewestPer: per }: ResourcePolicy,
): string {
  const among = newest === 1 ? 'the newest' : `among the ${newest} newest`;
  if (per === null) return among;
  const key = keyOf(document, per);
  if (key !== null) return `${among} of ${key}`;
  return per.by === 'label' ? `it has no label ${per.label}` : `it has no ${per.by}`;
}

/** In its two largest units: `3h12m`. */
export function ageText(milliseconds: number): string {
  return durationText(milliseconds, 2);
}
