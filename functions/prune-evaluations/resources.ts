import { groupBy } from '@cairn/shared/collection/group-by';
import { canBeInCommand, deleteCommands } from '@cairn/shared/prune/objects/delete-commands';
import type { ResourceDocument } from '@cairn/shared/prune/objects/documents';
import { PrunableKinds } from '@cairn/shared/prune/objects/prunable-kinds';
import { createPruner } from '@cairn/shared/prune/objects/pruner';
import { type Judged, type IsPrunable, notPrunable, PRUNABLE } from '@cairn/shared/prune/objects/report';
import { describeResource, kindText, type GroupVersionKind } from '@cairn/shared/prune/objects/resource';
import { parseSelector } from '@cairn/shared/prune/objects/selector';
import {
  all,
  any,
  keepNewest,
  keepNewestPer,
  olderThan,
  type Strategy,
} from '@cairn/shared/prune/objects/strategies';
import { type FAILED_RULES, STRATEGY_NAMES, type StrategyName } from '@cairn/shared/prune/objects/values';
import { durationText, parseDuration } from '@cairn/shared/text/duration';
import { joinInWords } from '@cairn/shared/text/words';
import { invalidRequest } from '../http/request.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import type { ResourcePolicyFields, MATCHES, PlaceOfField } from './schema.ts';

export type JudgedDocument = Judged<ResourceDocument>;

export type ResourceVerdict = Awaited<ReturnType<typeof evaluateResources>>;

/** More than a person pastes into a shell. */
const MOST_IN_COMMANDS = 10_000;

/** Evaluates the objects with a policy. Deletes nothing. All lists are oldest first. */
export async function evaluateResources(documents: readonly ResourceDocument[], policy: ResourcePolicy) {
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

/** Registers a rule for every kind, so that reasons use the words of the policy. */
function registryFor({ kinds, failed, allowUnregistered }: ResourcePolicy): PrunableKinds {
  const registry = PrunableKinds.withDefaults({ failed });
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

/** Null if the policy does not use the strategy. */
const STRATEGIES: Readonly<
  Record<StrategyName, (policy: ResourcePolicy) => Strategy<ResourceDocument> | null>
> = {
  keep_newest: ({ keepNewest: newest, keepNewestPer: per }) =>
    newest === null || per !== null ? null : keepNewest(newest),
  keep_newest_per: ({ keepNewest: newest, keepNewestPer: per }) =>
    newest === null || per === null ? null : keepNewestPer((object) => keyOf(object, per), newest),
  older_than: ({ olderThan: age }) => (age === null ? null : olderThan(age)),
};

function strategyOf(policy: ResourcePolicy): Strategy<ResourceDocument> {
  const strategies = STRATEGY_NAMES.map((name) => STRATEGIES[name](policy)).filter((one) => one !== null);
  return policy.match === 'any' ? any(...strategies) : all(...strategies);
}

/** Group of an object, in words; null if it belongs to none. */
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
  // With `all`, youth alone keeps an object; other reasons were not evaluated.
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

/** Two largest units: `3h12m`. */
export function ageText(milliseconds: number): string {
  return durationText(milliseconds, 2);
}

type Grouping = { readonly by: 'namespace' | 'owner' } | { readonly by: 'label'; readonly label: string };

/** Policy with its defaults filled in. */
export interface ResourcePolicy {
  readonly kinds: readonly GroupVersionKind[];
  readonly namespaces: readonly string[] | null;
  readonly labels: string | null;
  readonly owner: { readonly kind: string; readonly name: string } | null;
  readonly keepNewest: number | null;
  readonly keepNewestPer: Grouping | null;
  readonly olderThan: number | null;
  readonly match: (typeof MATCHES)[number];
  readonly failed: (typeof FAILED_RULES)[number];
  readonly allowUnregistered: readonly GroupVersionKind[];
  readonly countUnprunable: boolean;
  readonly maxDeletes: number | null;
  readonly now: Date;
}

type Fault = (field: keyof ResourcePolicyFields, detail: string, index?: number) => void;

const SHORT_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ pod: 'v1/Pod', pods: 'v1/Pod', po: 'v1/Pod', job: 'batch/v1/Job', jobs: 'batch/v1/Job' }),
);
const DEFAULT_KINDS = ['Pod', 'Job'];
const KIND = /^(?:([a-z0-9][a-z0-9.-]*)\/)?(v[0-9][a-z0-9]*)\/([A-Z][A-Za-z0-9]{0,62})$/;
const KIND_RULE = 'Pod, Job, v1/ConfigMap or tekton.dev/v1/PipelineRun is accepted: group, version and kind';

/** Reports every fault with its place. */
export function readPolicy(fields: ResourcePolicyFields, now: number, placeOf: PlaceOfField): ResourcePolicy {
  const faults: ErrorDetail[] = [];
  const fault: Fault = (field, detail, index) => faults.push({ ...placeOf(field, index ?? null), detail });
  if (STRATEGY_NAMES.every((name) => fields[name] === undefined)) {
    const others = joinInWords(STRATEGY_NAMES.filter((name) => name !== 'older_than'));
    fault('older_than', `is missing, as are ${others}: one of them says what may go`);
  }
  const kinds = readKinds('kinds', fields.kinds ?? DEFAULT_KINDS, fault);
  const policy: ResourcePolicy = {
    kinds,
    namespaces: fields.namespaces ? [...new Set(fields.namespaces)] : null,
    labels: fields.labels === undefined ? null : readLabels(fields.labels, fault),
    owner: fields.owner === undefined ? null : readOwner(fields.owner),
    keepNewest: fields.keep_newest ?? (fields.keep_newest_per === undefined ? null : 1),
    keepNewestPer: fields.keep_newest_per === undefined ? null : readGrouping(fields.keep_newest_per, fault),
    olderThan: fields.older_than === undefined ? null : readDuration(fields.older_than, fault),
    match: fields.match ?? 'any',
    failed: fields.failed ?? 'keep',
    allowUnregistered: readKinds(
      'allow_unregistered',
      fields.allow_unregistered ?? [],
      fault,
      kinds.map(kindText),
    ),
    countUnprunable: fields.count_unprunable ?? false,
    maxDeletes: fields.max_deletes ?? null,
    now: readNow(fields.now, now, fault),
  };
  if (faults.length > 0) throw invalidRequest(faults);
  return policy;
}

/** Uses the same units as the request. */
export function policyView(policy: ResourcePolicy) {
  const { kinds, owner, keepNewestPer, olderThan, allowUnregistered, now } = policy;
  return {
    ...policy,
    kinds: kinds.map(kindText),
    owner: owner && `${owner.kind}/${owner.name}`,
    keepNewestPer: keepNewestPer && groupingText(keepNewestPer),
    olderThan: olderThan === null ? null : durationText(olderThan),
    allowUnregistered: allowUnregistered.map(kindText),
    now: now.toISOString(),
  };
}

function readKinds(
  field: 'kinds' | 'allow_unregistered',
  names: readonly string[],
  fault: Fault,
  asked?: readonly string[],
): GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const [index, name] of names.entries()) {
    const kind = readKind(name);
    if (kind === null) fault(field, `${JSON.stringify(name)} is no kind, ${KIND_RULE}`, index);
    else if (asked?.includes(kindText(kind)) === false) fault(field, `${name} is not one of kinds`, index);
    else found.set(kindText(kind), kind);
  }
  return [...found.values()];
}

function readKind(name: string): GroupVersionKind | null {
  const [, group = '', version, kind] = KIND.exec(SHORT_KINDS.get(name.toLowerCase()) ?? name) ?? [];
  return version === undefined || kind === undefined ? null : { group, version, kind };
}

function readLabels(text: string, fault: Fault): string | null {
  try {
    return parseSelector(text).text;
  } catch (error) {
    fault('labels', (error as RangeError).message);
    return null;
  }
}

function readOwner(text: string): ResourcePolicy['owner'] {
  const slash = text.indexOf('/');
  return { kind: text.slice(0, slash), name: text.slice(slash + 1) };
}

function groupingText(grouping: Grouping): string {
  return grouping.by === 'label' ? `label:${grouping.label}` : grouping.by;
}

function readGrouping(text: string, fault: Fault): Grouping {
  if (text === 'namespace' || text === 'owner') return { by: text };
  const label = text.slice('label:'.length);
  try {
    // Throws with the fault of the label.
    parseSelector({ [label]: '' });
  } catch (error) {
    fault('keep_newest_per', (error as RangeError).message);
  }
  return { by: 'label', label };
}

function readDuration(text: string, fault: Fault): number | null {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) {
    fault('older_than', `${JSON.stringify(text)} is no duration, such as 90m, 36h, 7d or P7D is accepted`);
  }
  return milliseconds;
}

function readNow(text: string | undefined, now: number, fault: Fault): Date {
  const time = new Date(text ?? now);
  if (!Number.isNaN(time.getTime())) return time;
  fault('now', `${JSON.stringify(text)} is no time, such as 2026-11-16T08:00:00Z is accepted`);
  return new Date(now);
}
