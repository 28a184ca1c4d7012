import { countInWords, namesInWords } from '@cairn/shared/text/in-words';
import { useState } from 'preact/hooks';
import type { ClusterAnswer } from '../data/answers.ts';
import { getJson, send } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { announce } from '../ui/announce.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Findings } from '../ui/findings.tsx';
import type { Outlook } from './outlook.ts';
import { Facts, Skeleton, Table, useAction, When } from './parts.tsx';

interface DetailsProps {
  readonly id: string;
  readonly updatedAt: string;
  readonly outlook: Outlook | undefined;
  readonly onForgotten: () => void;
}

/** All that is known of a cluster, and the way to forget it. */
export function ClusterDetails({ id, updatedAt, outlook, onForgotten }: DetailsProps) {
  const path = `/v1/clusters/${encodeURIComponent(id)}`;
  const { value, error, reload } = useResource(`${path} ${updatedAt}`, (signal) =>
    getJson<ClusterAnswer>(path, signal),
  );
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
      {outlook && (
        <div class="stack-small">
          <p>{outlook.nextStep}</p>
          <Findings findings={outlook.findings} />
        </div>
      )}
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value ? <Known cluster={value} /> : !error && <Skeleton />}
      <div>
        <button type="button" class="button" onClick={() => setForgetting(true)}>
          Forget {id}
        </button>
      </div>
      {isForgetting && (
        <Dialog title={`Forget ${id}?`} onClose={() => setForgetting(false)}>
          <p>
            All that is known of it goes, with the history of its updates. The cluster itself is not touched.
          </p>
          {forgetting.error && <ErrorNote error={forgetting.error} />}
          <div class="row">
            <button
              type="button"
              class="button danger"
              disabled={forgetting.isBusy}
              onClick={() => void forgetting.run(forget)}
            >
              Forget it
            </button>
            <button type="button" class="button" onClick={() => setForgetting(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
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
