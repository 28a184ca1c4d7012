import type { InputValue } from '../input/input-value.ts';
import {
  type ClusterVersionFacts,
  type HistoryEntry,
  type ClusterCondition,
  HISTORY_STATES,
} from './facts.ts';

export function readClusterVersion(object: InputValue): ClusterVersionFacts {
  const spec = object.at('spec');
  const status = object.at('status');
  return {
    clusterId: spec.at('clusterID').textOrNull(),
    createdAt: object.at('metadata', 'creationTimestamp').time(),
    channel: spec.at('channel').textOrNull(),
    upstream: spec.at('upstream').textOrNull(),
    desiredUpdate: readDesiredUpdate(spec.at('desiredUpdate')),
    unmanagedOverrides: spec
      .at('overrides')
      .items()
      .filter((override) => override.at('unmanaged').flag())
      .map(readOverride)
      .toSorted(compareOverrides),
    desired: {
      version: status.at('desired', 'version').text(),
      image: status.at('desired', 'image').text(),
      channels: status.at('desired', 'channels').texts(),
    },
    history: readHistory(status.at('history')),
    conditions: readConditions(status.at('conditions')),
    availableUpdates: status
      .at('availableUpdates')
      .items()
      .map((update) => update.at('version').text()),
    conditionalUpdates: status.at('conditionalUpdates').items().map(readConditionalUpdate),
  };
}

/** A desired update without version and image is left over from a cleared update. */
function readDesiredUpdate(update: InputValue): ClusterVersionFacts['desiredUpdate'] {
  if (update.isMissing) return null;
  const version = update.at('version').text();
  const image = update.at('image').text();
  const force = update.at('force').flag();
  return version === '' && image === '' ? null : { version, image, force };
}

type Override = ClusterVersionFacts['unmanagedOverrides'][number];

function readOverride(override: InputValue): Override {
  return {
    kind: override.at('kind').text(),
    group: override.at('group').text(),
    namespace: override.at('namespace').text(),
    name: override.at('name').text(),
  };
}

function compareOverrides(a: Override, b: Override): number {
  const [one, other] = [a, b].map(({ kind, group, namespace, name }) =>
    [kind, group, namespace, name].join('\0'),
  );
  return one! < other! ? -1 : one! > other! ? 1 : 0;
}

/** Newest first, as clusters write it; entries with equal or missing times keep their order. */
function readHistory(history: InputValue): HistoryEntry[] {
  return history
    .items()
    .map(readEntry)
    .toSorted((a, b) => {
      const [one, other] = [momentOf(a), momentOf(b)];
      return one === other ? 0 : other - one;
    });
}

function momentOf({ startedTime }: HistoryEntry): number {
  return startedTime === null ? -Infinity : Date.parse(startedTime);
}

function readEntry(entry: InputValue): HistoryEntry {
  return {
    state: entry.at('state').oneOf(HISTORY_STATES) ?? 'Partial',
    version: entry.at('version').text(),
    image: entry.at('image').text(),
    startedTime: entry.at('startedTime').time(),
    // Also set on Partial entries when the next update starts: not a sign of completion.
    completionTime: entry.at('completionTime').time(),
    verified: entry.at('verified').flag(),
    acceptedRisks: entry.at('acceptedRisks').message(),
  };
}

function readConditionalUpdate(update: InputValue): ClusterVersionFacts['conditionalUpdates'][number] {
  const conditions = readConditions(update.at('conditions'));
  return {
    version: update.at('release', 'version').text(),
    risks: update
      .at('risks')
      .items()
      .map((risk) => risk.at('name').text()),
    recommended: conditions.find(({ type }) => type === 'Recommended') ?? null,
  };
}

/** `status.conditions` of any object, in the order of their types. */
export function readConditions(conditions: InputValue): ClusterCondition[] {
  return conditions
    .items()
    .map(readCondition)
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
}

function readCondition(condition: InputValue): ClusterCondition {
  return {
    type: condition.at('type').text(),
    status: condition.at('status').text(),
    reason: condition.at('reason').message(),
    message: condition.at('message').message(),
    since: condition.at('lastTransitionTime').time(),
  };
}
