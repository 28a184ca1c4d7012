import type { InputValue } from '../input/input-value.ts';
import { quoteValue } from '../text/quote.ts';
import { archOf, parseCpuArchitecture, type Arch } from '../version/arch.ts';
import { collectCommands } from './document-kinds.ts';
import {
  type ClusterVersionFacts,
  type HistoryEntry,
  type ClusterCondition,
  type KnownRisk,
  HISTORY_STATES,
} from './facts.ts';
import type { VersionStatus } from './hosted/facts.ts';

export function readClusterVersion(object: InputValue): ClusterVersionFacts {
  const spec = object.at('spec');
  const status = object.at('status');
  const version = readVersionStatus(status);
  const capabilities = spec.at('capabilities', 'baselineCapabilitySet').textOrNull();
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
    ...(capabilities !== null && { baselineCapabilitySet: capabilities }),
    acceptedRisks: readAcceptedRisks(spec.at('desiredUpdate', 'acceptRisks')),
    ...readCapabilities(status.at('capabilities')),
    ...version,
    ...milestonesOf(version.history),
    conditions: readConditions(status.at('conditions')),
  };
}

/** A cluster lists all that its release knows; before that, the lists are empty. */
function readCapabilities(status: InputValue): Pick<ClusterVersionFacts, 'capabilities'> {
  const [known, enabled] = [status.at('knownCapabilities').texts(), status.at('enabledCapabilities').texts()];
  if (known.length === 0 && enabled.length === 0) return {};
  return { capabilities: { known: known.toSorted(), enabled: enabled.toSorted() } };
}

const MOST_COMPLETED = 2;

function milestonesOf(history: readonly HistoryEntry[]): Pick<ClusterVersionFacts, 'milestones'> {
  const [newest, oldest] = [history[0], history.at(-1)];
  if (!newest || !oldest) return {};
  const completed = history.filter(({ state }) => state === 'Completed').map(({ version }) => version);
  return {
    milestones: {
      initial: oldest.version,
      completed: completed.slice(0, MOST_COMPLETED),
      updating: newest.state === 'Partial' ? newest.version : null,
    },
  };
}

/** Rejects a ClusterVersion of another cluster than the first: the facts of two clusters would be mixed. */
export function readOneClusterVersion(): typeof readClusterVersion {
  let first: string | null = null;
  return (object) => {
    const facts = readClusterVersion(object);
    first ??= facts.clusterId;
    if (facts.clusterId !== null && facts.clusterId !== first) {
      const others = `${quoteValue(facts.clusterId)} is another cluster than ${quoteValue(first)}`;
      const [command] = collectCommands('clusterVersion');
      object.at('spec', 'clusterID').refuse(`${others}; send the documents of one cluster: ${command}`);
    }
    return facts;
  };
}

/** `status` of a ClusterVersion, or its copy in a HostedCluster. */
export function readVersionStatus(status: InputValue): VersionStatus {
  return {
    desired: {
      version: status.at('desired', 'version').text(),
      image: status.at('desired', 'image').text(),
      channels: status.at('desired', 'channels').texts(),
      ...readArchitecture(status.at('desired')),
    },
    history: readHistory(status.at('history')),
    availableUpdates: status
      .at('availableUpdates')
      .items()
      .map((update) => update.at('version').text()),
    conditionalUpdates: status.at('conditionalUpdates').items().map(readConditionalUpdate),
    knownRisks: readKnownRisks(status.at('conditionalUpdateRisks')),
  };
}

/** A desired update without version and image is left over from a cleared update. */
function readDesiredUpdate(update: InputValue): ClusterVersionFacts['desiredUpdate'] {
  if (update.isMissing) return null;
  const version = update.at('version').text();
  const image = update.at('image').text();
  const force = update.at('force').flag();
  return version === '' && image === '' ? null : { version, image, force, ...readArchitecture(update) };
}

function readArchitecture(release: InputValue): { readonly architecture?: string } {
  const architecture = release.at('architecture').text();
  return architecture === '' ? {} : { architecture };
}

/**
 * Architecture of the release image: `multi` or that of the control plane; null if the ClusterVersion does not say. The
 * message of an accepted release has it from 4.11 on: `Payload loaded version="4.14.8" … architecture="Multi"`.
 */
export function releaseArchOf({
  desired,
  desiredUpdate,
  conditions,
}: Pick<ClusterVersionFacts, 'desired' | 'desiredUpdate' | 'conditions'>): Arch | null {
  const accepted = conditions.find(({ type, status }) => type === 'ReleaseAccepted' && status === 'True');
  const loaded = /\barchitecture="(\w+)"/.exec(accepted?.message ?? '')?.[1];
  const cpu = parseCpuArchitecture(desired.architecture ?? loaded ?? desiredUpdate?.architecture ?? '');
  return cpu && archOf(cpu);
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
export function readHistory(history: InputValue): HistoryEntry[] {
  let moment = Infinity;
  return history
    .items()
    .map((item) => {
      const entry = readEntry(item);
      // Without a time, an entry stays behind the one that precedes it.
      if (entry.startedTime !== null) moment = Date.parse(entry.startedTime);
      return { entry, moment };
    })
    .toSorted((a, b) => (a.moment === b.moment ? 0 : b.moment - a.moment))
    .map(({ entry }) => entry);
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
  const links = update
    .at('risks')
    .items()
    .map((risk) => ({ name: risk.at('name').text(), url: risk.at('url').text() }))
    .filter(({ url }) => url !== '');
  return {
    version: update.at('release', 'version').text(),
    risks: [...new Set([...names(update.at('risks')), ...update.at('riskNames').texts()])],
    ...(links.length > 0 && { links }),
    recommended: conditions.find(({ type }) => type === 'Recommended') ?? null,
  };
}

function names(items: InputValue): string[] {
  return items.items().map((item) => item.at('name').text());
}

function readAcceptedRisks(risks: InputValue): readonly string[] | null {
  return risks.isMissing ? null : names(risks).toSorted();
}

function readKnownRisks(risks: InputValue): readonly KnownRisk[] | null {
  if (risks.isMissing) return null;
  return risks.items().map((risk) => ({
    name: risk.at('name').text(),
    url: risk.at('url').text(),
    message: risk.at('message').message(),
    applies: readConditions(risk.at('conditions')).find(({ type }) => type === 'Applies') ?? null,
  }));
}

/** `status.conditions` of any object, in the order of their types. */
export function readConditions(conditions: InputValue): ClusterCondition[] {
  return conditions
    .items()
    .map(readCondition)
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
}

export function readCondition(condition: InputValue): ClusterCondition {
  return {
    type: condition.at('type').text(),
    status: condition.at('status').text(),
    reason: condition.at('reason').message(),
    message: condition.at('message').message(),
    // A broken time of one condition must not hide the state of the cluster.
    since: condition.at('lastTransitionTime').timeIfValid(),
  };
}

/** False for `Unknown`, and for a condition without a status. */
export function isKnown({ status }: Pick<ClusterCondition, 'status'>): boolean {
  return status === 'True' || status === 'False';
}
