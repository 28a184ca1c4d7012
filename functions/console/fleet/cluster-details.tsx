import { countInWords, namesInWords } from '@cairn/shared/text/words';
import { useState } from 'preact/hooks';
import { send } from '../data/api.ts';
import type { ClusterAnswer, ClusterSummary, PlanAnswer } from '../data/responses.ts';
import { useQuery, useJson } from '../data/use-query.ts';
import { WHOLE_LIST } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { Pill, Button, PageLink } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { Findings } from '../ui/findings.tsx';
import { lazy } from '../ui/lazy.tsx';
import { updateInWords } from '../updates/words.ts';
import { assessedUpgradeOf } from './assessment.tsx';
import { ClusterTarget, planAddress, readSettings } from './cluster-target.tsx';
import { Facts, Skeleton, Table, useAction, When } from './parts.tsx';

const HopRisks = lazy(async () => (await import('../risks/hop-risks.tsx')).HopRisks);
const PastUpdates = lazy(async () => (await import('../updates/past-updates.tsx')).PastUpdates);

interface DetailsProps {
  readonly cluster: ClusterSummary;
  readonly onForgotten: () => void;
}

export function ClusterDetails({ cluster, onForgotten }: DetailsProps) {
  const { id, updatedAt, target } = cluster;
  const path = `/v1/clusters/${encodeURIComponent(id)}`;
  const known = useJson<ClusterAnswer>(path, updatedAt);
  const settings = useQuery(`${path} settings`, (signal) => readSettings(id, signal));
  const planned = settings.value && planAddress(cluster, settings.value.settings);
  const plan = useJson<PlanAnswer>(planned, updatedAt);
  const [isForgetting, setForgetting] = useState(false);
  const forgetting = useAction();
  const forget = async (): Promise<void> => {
    await send(path, { method: 'DELETE' });
    announce(`${id} is forgotten`);
    setForgetting(false);
    onForgotten();
  };
  return (
    <div class="stack unfolded">
      {plan.error && <ErrorNote error={plan.error} onRetry={plan.reload} />}
      <UpdateLink cluster={cluster} />
      {plan.value ? <Planned plan={plan.value} /> : plan.isLoading && <Skeleton />}
      {settings.error && <ErrorNote error={settings.error} onRetry={settings.reload} />}
      {settings.value && (
        <ClusterTarget id={id} target={target} held={settings.value} onChange={settings.reload} />
      )}
      <PastUpdates id={id} revision={updatedAt} />
      {known.error && <ErrorNote error={known.error} onRetry={known.reload} />}
      {known.value ? <Known cluster={known.value} /> : known.isLoading && <Skeleton />}
      <div>
        <Button onClick={() => setForgetting(true)}>Forget {id}</Button>
      </div>
      {isForgetting && (
        <Dialog title={`Forget ${id}?`} onClose={() => setForgetting(false)}>
          <p>
            All that is known of it goes, with the history of its updates. The cluster itself is not touched.
          </p>
          {forgetting.error && <ErrorNote error={forgetting.error} />}
          <div class="row">
            <Button kind="danger" disabled={forgetting.isBusy} onClick={() => void forgetting.run(forget)}>
              Forget it
            </Button>
            <Button onClick={() => setForgetting(false)}>Keep it</Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** While the cluster updates. */
function UpdateLink({ cluster: { id, update } }: Pick<DetailsProps, 'cluster'>) {
  if (update === null || update.state === 'completed') return null;
  return (
    <p>
      <PageLink to="updates" patch={{ ...WHOLE_LIST, cluster: id }}>
        {updateInWords(update)}
      </PageLink>
    </p>
  );
}

function NextRisks({ hops: [next] }: Pick<PlanAnswer, 'hops'>) {
  if (!next) return null;
  return (
    <section class="stack-small">
      <div class="row">
        <h2>Risks of the next hop</h2>
        <span class="muted">to {next.to}</span>
        <PageLink to="risks" patch={WHOLE_LIST}>
          All risks
        </PageLink>
      </div>
      {next.risks.length === 0 ? (
        <p class="muted">The update is recommended and has no known risks.</p>
      ) : (
        <HopRisks risks={next.risks} of="the next hop" />
      )}
    </section>
  );
}

function Planned({ plan }: { readonly plan: PlanAnswer }) {
  const { tone, verdict, skew, findings, nextStep } = assessedUpgradeOf(plan);
  return (
    <div class="stack-small">
      <p class="pills">
        <Pill tone={tone}>{verdict}</Pill>
        {skew && <Pill tone={skew.tone}>Kubelets behind: {skew.words}</Pill>}
      </p>
      <p>{nextStep}</p>
      <Findings findings={findings} />
      <NextRisks hops={plan.hops} />
    </div>
  );
}

const NOT_REPORTED = 'not reported';

function Known({ cluster }: { readonly cluster: ClusterAnswer }) {
  const { clusterOperators: operators, apisGoingAway: apis, kubelets, pools } = cluster;
  const names = (list: readonly string[] | undefined): string => {
    if (!list) return NOT_REPORTED;
    return list.length === 0 ? 'none' : namesInWords(list);
  };
  return (
    <>
      <Facts
        isWide
        of={[
          ['clusterID', cluster.clusterId],
          ['Oldest facts collected', cluster.collectedAt && <When at={cluster.collectedAt} />],
          [
            'Kubelets',
            kubelets.map(({ version, nodes }) => `${version} on ${countInWords(nodes, 'node')}`).join(', ') ||
              NOT_REPORTED,
          ],
          ['Operators not upgradeable', names(operators?.notUpgradeable)],
          ['Operators degraded', names(operators?.degraded)],
          ['APIs in use that go away', apis === null ? NOT_REPORTED : apis.length || 'none'],
        ]}
      />
      {apis && apis.length > 0 && (
        <Table
          label="APIs in use that go away"
          head={['API that goes away', 'With Kubernetes', 'Requests a day']}
          rows={apis.map(({ name, removedInRelease, requests }) => [name, removedInRelease, requests])}
        />
      )}
      {pools && pools.length > 0 && (
        <Table
          label="Pools"
          head={['Pool', 'Machines', 'Updated', 'Ready', 'Degraded', 'State']}
          rows={pools.map(({ name, paused, pausedSince, machines }) => [
            name,
            machines.total,
            machines.updated,
            machines.ready,
            machines.degraded,
            paused ? (
              <>
                ▲ Paused{' '}
                {pausedSince && (
                  <>
                    since <When at={pausedSince} />
                  </>
                )}
              </>
            ) : machines.updated < machines.total ? (
              'Being updated'
            ) : (
              'As it should be'
            ),
          ])}
        />
      )}
    </>
  );
}
