import type { UpgradePath } from '@cairn/shared/path/solver/solve';
import { countInWords } from '@cairn/shared/text/words';
import { setState } from '../state/navigation.ts';
import { Pill } from '../ui/pill.tsx';

export function OtherWays({
  paths,
  shown,
}: {
  readonly paths: readonly UpgradePath[];
  readonly shown: number;
}) {
  if (paths.length < 2) return null;
  return (
    <section class="stack-small no-print" aria-labelledby="ways">
      <h3 id="ways">Other ways</h3>
      <ul>
        {paths.map((way, at) => (
          <li key={at}>
            <button
              type="button"
              class="button plain way"
              aria-pressed={at === shown}
              onClick={() => setState({ alt: at, sel: '' }, { push: true })}
            >
              <span>{at === 0 ? `Best: ${wayInWords(way, null)}` : wayInWords(way, paths[0]!)}</span>
              {way.stats.riskyHops > 0 && <Pill tone="cond">{way.stats.riskyHops} conditional</Pill>}
              {at === shown && <span class="small muted">shown here</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_NAMED = 4;

/** `3 hops by 4.14.66, 4.15.64`; of an alternative, only the versions that differ from the best path. */
function wayInWords({ path, stats }: UpgradePath, best: UpgradePath | null): string {
  const known = new Set(best?.path.map(({ version }) => version));
  const between = path
    .slice(1, -1)
    .map(({ version }) => version)
    .filter((version) => !known.has(version));
  const isNamed = between.length > 0 && between.length <= MOST_NAMED;
  return countInWords(stats.hops, 'hop') + (isNamed ? ` by ${between.join(', ')}` : '');
}
