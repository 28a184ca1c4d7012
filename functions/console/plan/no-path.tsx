import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import type { PathResult } from '@cairn/shared/path/find-path';
import type { PreparedGraph } from '@cairn/shared/path/prepared-graph';
import { permittedLists, type PathQuery } from '@cairn/shared/path/question';
import { reachableFrom, reaching } from '@cairn/shared/path/solver/solve';
import { VERDICT_WORDS } from '@cairn/shared/plan/words';
import { labelledChannel } from '@cairn/shared/releases/channel';
import { countInWords } from '@cairn/shared/text/words';
import { withQuery } from '../data/api.ts';
import type { FleetUpdatesAnswer, PlanAnswer } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import type { Frontier } from '../lanes/model.ts';
import type { UrlState } from '../state/url-state.ts';
import { Pill, Button, PageLink, type Tone } from '../ui/controls.tsx';
import { sentence } from '../ui/text.ts';
import { updateInWords } from '../updates/words.ts';
import { detailsInWords, fixesFor, type ShownReason } from './fixes.ts';
import { Arrow } from './hop.tsx';
import type { ClusterReport, NearbyPath, NoPathModel } from './plan-model.ts';
import { askFor } from './question.ts';
import { Warnings } from './summary.tsx';

interface NoPathProps {
  readonly noPath: NoPathModel;
  readonly state: UrlState;
  readonly directory: ChannelDirectory;
}

/** Explains why no path exists and offers one-click changes. */
export function NoPath({ noPath, state, directory }: NoPathProps) {
  const { from, to, reason, message, suggestion, nearestTarget, alternatives, warnings, report } = noPath;
  const holdsBoth = (channel: string): boolean =>
    directory.holds(channel, from) && (to === null || directory.holds(channel, to));
  // If a version was requested, only a path to that version helps.
  const hasOtherPath = alternatives.some((path) => state.to !== to || path.to === to);
  const fixes = fixesFor(reason, { ...state, holdsBoth, hasOtherPath }, nearestTarget);
  return (
    <aside class="card stack plan-panel" aria-labelledby="verdict">
      <div class="stack-small">
        {report && <ClusterLine report={report} from={from} />}
        <h2 id="verdict" tabIndex={-1} class="verdict block">
          <span aria-hidden="true">■ </span>No path
        </h2>
        <p>{sentence(message)}</p>
        {suggestion && <p>{sentence(suggestion)}</p>}
        {detailsInWords(reason, from, to ?? 'the target').map((text) => (
          <p key={text} class="muted">
            {text}
          </p>
        ))}
        <Warnings warnings={warnings} />
      </div>
      {fixes.length > 0 && (
        <div class="row no-print">
          {fixes.map(({ label, patch }, at) => (
            <Button key={label} kind={at === 0 ? 'primary' : ''} onClick={() => askFor(patch)}>
              {label}
            </Button>
          ))}
        </div>
      )}
      {alternatives.length > 0 && (
        <section class="stack-small" aria-labelledby="instead">
          <h3 id="instead">Paths there are instead</h3>
          <ul class="stack-small">
            {alternatives.map((nearby) => (
              <Nearby key={`${nearby.channels.join()} ${nearby.to}`} nearby={nearby} />
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Nearby({ nearby: { channels, to, hops, riskyHops, path } }: { readonly nearby: NearbyPath }) {
  return (
    <li class="nearby stack-small">
      <div class="row spread">
        <strong>
          To <span class="mono">{to}</span> by {channels.map(labelledChannel).join(', then ')}
        </strong>
        <span class="pills">
          {riskyHops > 0 && <Pill tone="cond">{riskyHops} conditional</Pill>}
          <Pill tone="plain">{countInWords(hops, 'hop')}</Pill>
        </span>
      </div>
      <div class="row spread">
        <span class="mono">
          {path.map((version, at) => (
            <>
              {at > 0 && <Arrow />}
              {version}
            </>
          ))}
        </span>
        <Button
          kind="no-print"
          // A path through several channels requires an open channel choice.
          onClick={() => askFor({ to, channel: channels.length === 1 ? channels[0]! : '' })}
        >
          Use this<span class="visually-hidden"> way to {to}</span>
        </Button>
      </div>
    </li>
  );
}

const TONES: Readonly<Record<ClusterReport['verdict'], Tone>> = {
  ready: 'ok',
  'ready-with-warnings': 'cond',
  'action-required': 'cond',
  blocked: 'block',
  unknown: 'plain',
};

/** While the cluster updates. */
function UpdateLink({ id }: { readonly id: string }) {
  const { value } = useJson<FleetUpdatesAnswer>(withQuery('/v1/fleet/updates', { name: id, limit: '1000' }));
  const update = value?.clusters.find((line) => line.id === id);
  if (update === undefined || update.state === 'completed') return null;
  return (
    <PageLink class="no-print" to="updates" patch={{ cluster: id }}>
      {updateInWords(update)}
    </PageLink>
  );
}

export function ClusterLine({ report, from }: { readonly report: ClusterReport; readonly from: string }) {
  const { id, verdict, nextStep } = report;
  return (
    <div class="stack-small cluster-line">
      <p class="row">
        <span>
          Cluster <strong>{id}</strong>
        </span>
        <Pill tone={TONES[verdict]}>{VERDICT_WORDS[verdict]}</Pill>
        <UpdateLink id={id} />
        <PageLink class="no-print" to="plan" patch={{ cluster: '', from }}>
          Plan without it
        </PageLink>
      </p>
      <p>
        <strong>Next:</strong> {sentence(nextStep)}
      </p>
    </div>
  );
}

type Unfound<Answer> = Extract<Answer, { readonly found: false }>;
type UnfoundPath = Unfound<PathResult> | Unfound<PlanAnswer['path']>;

/** Accepts results of the page's solver and of the service. */
export function noPathModel(
  { from, to, explanation }: UnfoundPath,
  warnings: readonly string[],
  report: ClusterReport | null,
): NoPathModel {
  const { code, details, message, suggestion, nearestTarget, alternatives } = explanation;
  return {
    from,
    to,
    message,
    suggestion,
    nearestTarget,
    warnings,
    report,
    // The code determines the type of the details.
    reason: { code, details } as ShownReason,
    alternatives: alternatives.map(nearbyPath),
  };
}

function nearbyPath(found: UnfoundPath['explanation']['alternatives'][number]): NearbyPath {
  if (!('stats' in found)) return found;
  const { channels, to, stats, path } = found;
  const { hops, riskyHops } = stats;
  return { channels, to, hops, riskyHops, path: path.map(({ version }) => version) };
}

/**
 * Releases reachable from the start, and releases that reach the target, to show the gap between them. An end outside
 * the graph is skipped; null if both are.
 */
export function frontierOf(
  graph: PreparedGraph,
  query: Pick<PathQuery, 'from' | 'to' | 'risk' | 'acceptedRisks' | 'prerelease'>,
): Frontier | null {
  const { from, to } = query;
  const [start, target] = [graph.index.get(from), graph.index.get(to)];
  if (start === undefined && target === undefined) return null;
  const passable = {
    permitted: permittedLists(graph.riskSets, query),
    blocked: query.prerelease ? new Uint8Array(graph.nodes.length) : graph.isPrerelease,
  };
  const named = (marks: Uint8Array | null): Set<string> =>
    new Set(graph.nodes.flatMap(({ version }, place) => (marks?.[place] === 1 ? [version] : [])));
  return {
    reachable: named(start === undefined ? null : reachableFrom(graph, start, passable)),
    reaching: named(target === undefined ? null : reaching(graph, target, passable)),
    from,
    to,
  };
}
