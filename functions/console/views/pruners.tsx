import { getJson } from '../data/api.ts';
import type { PrunerPageAnswer } from '../data/responses.ts';
import { Command, Facts, ShowMore, Skeleton, Unfold, When } from '../fleet/parts.tsx';
import { usePages } from '../fleet/use-pages.ts';
import { Marks, PrunerDetails } from '../pruners/pruner-details.tsx';
import { prunerMarks, type PrunerSummary } from '../pruners/pruner-words.ts';
import { setState, type Place } from '../state/navigation.ts';
import { ErrorNote } from '../ui/errors.tsx';

async function loadPruners(address: string, signal: AbortSignal) {
  const { pruners, nextCursor } = await getJson<PrunerPageAnswer>(address, signal);
  return { items: pruners, nextCursor };
}

export function PrunersView({ place }: { readonly place: Place }) {
  const { items, hasMore, error, isLoading, more, reload } = usePages('/v1/image-pruners', loadPruners);
  const { open } = place.state;
  const isMissing = error?.status === 404;
  return (
    <div class="page stack">
      <h1>Pruners</h1>
      {error && !isMissing && <ErrorNote error={error} onRetry={reload} />}
      {items === null && !error && <Skeleton />}
      {(items?.length === 0 || isMissing) && (
        <p>
          There is no pruner yet. One removes from the storage of a registry what nobody needs any more, and
          begins as a dry run that deletes nothing. It works in a bucket that the setting{' '}
          <code>registryBuckets</code> of the deployment names.
        </p>
      )}
      <ul class="stack">
        {items?.map((pruner) => (
          <Pruner key={pruner.name} pruner={pruner} isOpen={pruner.name === open} onChange={reload} />
        ))}
      </ul>
      {hasMore && <ShowMore isLoading={isLoading} onMore={more} />}
      {items !== null && (
        <details class="card fold" open={items.length === 0}>
          <summary>Make a pruner</summary>
          <div class="stack-small">
            <p>
              Everything has a default: every midnight, as a dry run, in the first bucket of the settings.
            </p>
            <Command
              text={`curl -s -X PUT --data '{}' -H 'content-type: application/json' ${location.origin}/v1/image-pruners/${items.some(({ name }) => name === 'cluster') ? 'another' : 'cluster'}`}
              what="the command that makes a pruner"
            />
            <p class="small muted">
              <a href="/openapi.json">openapi.json</a> describes every field; docs/prune-a-registry.md in the
              sources explains them.
            </p>
          </div>
        </details>
      )}
    </div>
  );
}

interface PrunerProps {
  readonly pruner: PrunerSummary;
  readonly isOpen: boolean;
  readonly onChange: () => void;
}

function Pruner({ pruner, isOpen, onChange }: PrunerProps) {
  const { name, target, schedule, timeZone, nextRun, lastRun } = pruner;
  return (
    <li class="card stack">
      <div class="row spread">
        <div class="row">
          <h2>{name}</h2>
          <Marks of={prunerMarks(pruner)} />
        </div>
        <Unfold
          what="Details"
          of={name}
          isOpen={isOpen}
          onToggle={() => setState({ open: isOpen ? '' : name }, { push: false })}
        />
      </div>
      <Facts
        isWide
        of={[
          ['Bucket', target.prefix === '' ? target.bucket : `${target.bucket}/${target.prefix}`],
          ['Schedule', `${schedule} ${timeZone}`],
          ['Next run', nextRun === null ? 'none' : <When at={nextRun} />],
          ['Last run', lastRun === null ? 'none yet' : <LastRun run={lastRun} />],
        ]}
      />
      {isOpen && <PrunerDetails name={name} onChange={onChange} />}
    </li>
  );
}

function LastRun({ run }: { readonly run: NonNullable<PrunerSummary['lastRun']> }) {
  return (
    <>
      {run.dryRun && 'dry run '}
      {run.outcome === 'Failed' ? 'failed' : 'succeeded'}, <When at={run.finishedAt} />
    </>
  );
}
