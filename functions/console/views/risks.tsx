import { parseChannel } from '@cairn/shared/releases/channel';
import type { FleetSummaryAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Skeleton } from '../fleet/parts.tsx';
import type { Place } from '../state/navigation.ts';
import { WHOLE_LIST } from '../state/url-state.ts';
import { PageLink } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { lazy } from '../ui/lazy.tsx';

const ChannelRisks = lazy(async () => (await import('../releases/channel-risks.tsx')).ChannelRisks);
const FleetRisks = lazy(async () => (await import('../risks/fleet-risks.tsx')).FleetRisks);

/** Which risks apply to the clusters; without clusters, or for a channel in the address, what can be accepted for a plan. */
export function RisksView({ place: { state } }: { readonly place: Place }) {
  const fleet = useJson<FleetSummaryAnswer>('/v1/fleet/summary');
  const { value, error, isLoading } = fleet;
  const hasFleet = value !== null && value.clusters > 0;
  const isOfChannel = parseChannel(state.open) !== null;
  if (isLoading && value === null && !isOfChannel) {
    return (
      <div class="upd-page">
        <h1>Risks</h1>
        <Skeleton />
      </div>
    );
  }
  if (hasFleet && !isOfChannel) return <FleetRisks state={state} fleet={value.clusters} />;
  return (
    <div class="upd-page">
      <div>
        <h1>{hasFleet ? 'Risks for a plan' : 'Risks'}</h1>
        <p class="muted">
          Known problems that make an update conditional. A plan goes around them, unless you accept them.
        </p>
        {hasFleet && (
          <p>
            <PageLink to="risks" patch={WHOLE_LIST}>
              Risks of your clusters
            </PageLink>
          </p>
        )}
        {error?.needsToken && (
          <p class="muted">Use “Sign in” at the top to see which risks apply to your clusters.</p>
        )}
      </div>
      {error && !error.needsToken && error.status !== 404 && (
        <ErrorNote error={error} onRetry={fleet.reload} />
      )}
      <ChannelRisks state={state} />
    </div>
  );
}
