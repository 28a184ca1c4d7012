import type { PageReleases } from '../data/releases.ts';
import { useResource } from '../data/resource.ts';
import { followInPage, linkTo } from '../state/navigation.ts';
import { DEFAULTS } from '../state/url-state.ts';
import { Arrow } from './arrow.tsx';
import { findExamples } from './examples.ts';

/** For who comes without a question: how to ask one, and three that have an answer. */
export function Start({ releases }: { readonly releases: PageReleases }) {
  const examples = useResource(`examples ${releases.arch}`, () => findExamples(releases)).value;
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
                <a
                  class="example"
                  href={linkTo('plan', {
                    ...state,
                    channel: '',
                    risks: DEFAULTS.risks,
                    sel: '',
                    minors: null,
                  })}
                  onClick={followInPage}
                >
                  <span class="mono">
                    {state.from}
                    <Arrow />
                    {state.to || 'latest'}
                  </span>
                  <span class="small muted">{what}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </aside>
  );
}
