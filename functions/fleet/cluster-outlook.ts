import type { ClusterRecord } from '@cairn/shared/cluster/record';
import type { ClusterSettings } from '@cairn/shared/fleet/settings';
import { newerPatch } from '@cairn/shared/path/channel-directory';
import { type Outlook, outlookOf } from '@cairn/shared/fleet/assessment';
import { channelsConcerned, outlookQuestion } from '@cairn/shared/fleet/default-target';
import { currentVersion } from '@cairn/shared/safety/evaluate';
import { archOfNodes, planUpgrade, type PlanQuestion } from '../plans/plan-upgrade.ts';
import type { ReleaseReader, ReleaseSnapshot } from '../releases/release-reader.ts';

export interface ClusterOutlook {
  readonly outlook: Outlook;
  /** The channels whose change may change it, as `stable-4.14/amd64`. */
  readonly pairs: readonly string[];
  readonly releases: ReleaseSnapshot;
}

/** What lies ahead of a cluster, by what people have said of it; null when it does not say which version it runs. */
export async function clusterOutlook(
  { facts, pausedSince }: Pick<ClusterRecord, 'facts' | 'pausedSince'>,
  settings: ClusterSettings,
  reader: Pick<ReleaseReader, 'snapshot'>,
  now: number,
): Promise<ClusterOutlook | null> {
  const current = currentVersion(facts);
  if (current === null) return null;
  const arch = archOfNodes(facts);
  const releases = await reader.snapshot(arch);
  const read = new Set<string>();
  const channel = facts.clusterVersion?.channel ?? null;
  const usual = outlookQuestion(current, channel, releases.directory);
  const { target = usual.target, acceptRisks = [] } = settings;
  const question: PlanQuestion = {
    target,
    channels: settings.channels ?? (settings.target === undefined ? usual.channels : []),
    arch,
    risk: acceptRisks.length > 0 ? 'accept' : 'none',
    acceptedRisks: acceptRisks,
    options: {
      policy: settings.policy ?? 'openshift',
      strategy: settings.strategy ?? 'rolling',
      strict: false,
      apiRemovals: 'block',
      accept: settings.accept ?? [],
    },
    windows: null,
  };
  const since = new Map(pausedSince.map((pause) => [pause.pool, pause.since]));
  const { report, answer } = await planUpgrade(facts, question, recording(releases, read), {
    now,
    pausedSince: since,
  });
  const names = channelsConcerned(current, channel, answer.to, [...read], releases.directory);
  return {
    outlook: outlookOf(target, report, answer, newerPatch(current, channel, releases.directory)),
    pairs: names.map((name) => `${name}/${arch}`),
    releases,
  };
}

/** The releases, noting every channel whose graph is asked for. */
function recording(releases: ReleaseSnapshot, read: Set<string>): Pick<ReleaseReader, 'snapshot'> {
  const prepare: ReleaseSnapshot['prepare'] = (channels) => {
    for (const channel of channels) read.add(channel);
    return releases.prepare(channels);
  };
  return { snapshot: async () => ({ ...releases, prepare }) };
}
