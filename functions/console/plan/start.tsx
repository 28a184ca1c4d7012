import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { findPath } from '@cairn/shared/path/find-path';
import type { KnownReleases } from '@cairn/shared/path/question';
import type { Minor } from '@cairn/shared/version/minor';
import { isExtendedSupport } from '@cairn/shared/version/release-line';
import type { ReleaseVersion } from '@cairn/shared/version/release-version';
import type { PageReleases } from '../data/releases.ts';
import { useQuery } from '../data/use-query.ts';
import { DEFAULTS, type UrlState } from '../state/url-state.ts';
import { PageLink } from '../ui/controls.tsx';
import { ownReleases } from './form.tsx';
import { Arrow } from './hop.tsx';
import { questionOf } from './question.ts';

/** Empty state of the Plan page with three example upgrades. */
export function Start({ releases }: { readonly releases: PageReleases }) {
  const examples = useQuery(`examples ${releases.arch}`, () => findExamples(releases)).value;
  return (
    <aside class="card stack plan-panel" aria-labelledby="start">
      <h2 id="start">Where is your cluster?</h2>
      <p>
        Give the version that it runs under From, and where it shall go under To. The plan names every release
        on the way, what stands against it, and what to mirror.
      </p>
      {examples?.length !== 0 && (
        <div class="stack-small" aria-busy={examples === null}>
          <h3>Or try one of these</h3>
          {examples === null && <div class="skeleton" />}
          <ul class="stack-small">
            {examples?.map(({ what, state }) => (
              <li key={what}>
                <PageLink
                  class="example"
                  to="plan"
                  patch={{
                    ...state,
                    channel: '',
                    risks: DEFAULTS.risks,
                    sel: '',
                    minors: null,
                  }}
                >
                  <span class="mono">
                    {state.from}
                    <Arrow />
                    {state.to || 'latest'}
                  </span>
                  <span class="small muted">{what}</span>
                </PageLink>
              </li>
            ))}
          </ul>
        </div>
      )}
    </aside>
  );
}

interface Example {
  readonly what: string;
  readonly state: Pick<UrlState, 'from' | 'to' | 'pause'>;
}

const MOST = 3;

/**
 * Examples from existing releases: to the next EUS minor, EUS to EUS with paused workers, and to the newest patch.
 * They start in the middle of a minor, as clusters do.
 */
function exampleCandidates({ channels }: ChannelDirectory): Example[] {
  const minors = channels
    .filter(({ prefix }) => prefix === 'stable')
    .map((channel) => ({ minor: channel.minor, releases: ownReleases(channel) }))
    .filter(({ releases }) => releases.length > 0)
    .map(({ minor, releases }) => ({ minor, releases, start: releases[Math.floor(releases.length / 2)]! }));
  const extended = minors.filter(({ start }) => isExtendedSupport(start));
  const examples: Example[] = [];
  const add = (
    what: string,
    start: ReleaseVersion | undefined,
    to: Minor | undefined,
    pause = false,
  ): void => {
    if (start && to) examples.push({ what, state: { from: start.raw, to, pause } });
  };
  const third = minors[2];
  const next = minors.slice(3).find((each) => extended.includes(each)) ?? minors[3];
  add('To the next minor with extended support', third?.start, next?.minor);
  const [before, last] = extended.slice(-2);
  add('With workers paused, rebooted once', before?.start, last?.minor, true);
  const patched = minors.findLast(({ releases }) => releases.length > 1);
  add('To the newest patch', patched?.start, patched?.minor);
  const [former, newest] = minors.slice(-2);
  add('To the next minor', former?.start, newest?.minor);
  return examples;
}

/** Keeps examples that have a path, at most three. */
export async function findExamples(releases: KnownReleases): Promise<Example[]> {
  const found: Example[] = [];
  for (const example of exampleCandidates(releases.directory)) {
    if (found.length === MOST) break;
    const question = { ...questionOf({ ...DEFAULTS, ...example.state }), alternatives: 0 as const };
    const answer = await findPath(question, releases);
    if (answer.found && answer.upgrade.stats.hops > 0) found.push(example);
  }
  return found;
}
