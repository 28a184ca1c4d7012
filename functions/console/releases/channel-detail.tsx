import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { useMemo } from 'preact/hooks';
import { useGraph, useSync, type PageReleases } from '../data/releases.ts';
import { counted } from '../lanes/model.ts';
import { ReleaseGraph } from '../lanes/release-graph.tsx';
import { go } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { PageLink } from '../ui/controls.tsx';
import { Loaded } from '../ui/lazy.tsx';
import { ChannelChanges } from './channel-changes.tsx';
import { UpdateCounts, PairPill } from './channel-table.tsx';
import { RiskText } from './risk-card.tsx';
import { risksOf } from './risk-ranges.ts';
import { planFrom, planTo } from './version-details.tsx';

interface ChannelDetailProps {
  readonly channel: string;
  readonly releases: PageReleases;
  readonly state: UrlState;
}

export function ChannelDetail({ channel, releases, state }: ChannelDetailProps) {
  const sync = useSync();
  const indexed = releases.index.channels.find((known) => known.channel === channel);
  if (!indexed) {
    return (
      <p class="note cond">
        {channel} is not followed on {releases.arch}.
      </p>
    );
  }
  return (
    <>
      <div class="row spread">
        <div class="row">
          <span>{counted(indexed.nodes, 'release')}</span>
          <UpdateCounts {...indexed} />
          {sync && <PairPill sync={sync} channel={channel} arch={releases.arch} />}
        </div>
        <PageLink
          class="button primary"
          to="plan"
          patch={{ channel, open: '', find: '', sel: '', cluster: '', alt: 0 }}
        >
          Plan in this channel
        </PageLink>
      </div>
      {indexed.nodes > 0 ? (
        <WithGraph channel={channel} releases={releases} state={state} />
      ) : (
        <p class="card muted">
          {indexed.publishedAt === null
            ? 'This channel was not read yet.'
            : 'This channel holds no releases.'}
        </p>
      )}
      <ChannelChanges key={releases.arch} channel={channel} arch={releases.arch} />
    </>
  );
}

function WithGraph({ channel, releases, state }: ChannelDetailProps) {
  return (
    <Loaded resource={useGraph(releases, channel)} what={`the graph of ${channel}`}>
      {(graph) => (
        <>
          <ChannelGraph channel={channel} graph={graph} state={state} />
          <ChannelRisks channel={channel} graph={graph} />
        </>
      )}
    </Loaded>
  );
}

function ChannelRisks({ channel, graph }: { readonly channel: string; readonly graph: PreparedGraph }) {
  const risks = useMemo(() => risksOf(graph), [graph]);
  if (risks.length === 0) return null;
  return (
    <section class="card stack">
      <div class="row spread">
        <h2>{counted(risks.length, 'risk')}</h2>
        <PageLink to="risks" patch={{ open: channel, find: '', sel: '' }}>
          Look closer and accept
        </PageLink>
      </div>
      <ul class="releases-columns">
        {risks.map((risk) => (
          <li key={risk.name}>
            <RiskText risk={risk} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Constant, because the lanes redraw for a new array. */
const NO_PATH: readonly [] = [];

interface ChannelGraphProps {
  readonly channel: string;
  readonly graph: PreparedGraph;
  readonly state: UrlState;
}

export function ChannelGraph({ channel, graph, state }: ChannelGraphProps) {
  return (
    <section class="stack-small">
      <ReleaseGraph
        graph={graph}
        path={NO_PATH}
        frontier={null}
        name={channel}
        state={state}
        onFrom={(version) => go('plan', { ...planFrom(version, state), channel })}
        onTo={(version) => go('plan', { ...planTo(version, state), channel })}
      >
        <h2>Releases</h2>
      </ReleaseGraph>
    </section>
  );
}
