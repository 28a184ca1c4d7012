import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { ReleaseGraph } from '../lanes/release-graph.tsx';
import { go } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { planFrom, planTo } from './plan-links.ts';

/** Nothing is planned here. Always the same, as the lanes draw anew what is not. */
const NO_PATH: readonly [] = [];

interface ChannelGraphProps {
  readonly channel: string;
  readonly graph: PreparedGraph;
  readonly state: UrlState;
}

/** The releases of a channel, from each of which a plan may begin or end. */
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
