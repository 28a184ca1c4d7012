import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { countInWords } from '@cairn/shared/text/words';
import type { UrlState } from '../state/url-state.ts';
import { Pill } from '../ui/pill.tsx';
import { Arrow } from './arrow.tsx';
import { askFor } from './ask.ts';
import { ClusterLine } from './cluster-line.tsx';
import { detailsInWords, fixesFor } from './fixes.ts';
import type { NearbyWay, NoPathModel } from './no-path-model.ts';
import { Warnings } from './warnings.tsx';
import { sentence } from '../ui/words.ts';

export interface NoPathProps {
  readonly noPath: NoPathModel;
  readonly state: UrlState;
  readonly directory: ChannelDirectory;
}

/** Why there is no path, and what can be done about it with one click. */
export function NoPath({ noPath, state, directory }: NoPathProps) {
  const { from, to, reason, message, suggestion, nearestTarget, alternatives, warnings, report } = noPath;
  const holdsBoth = (channel: string): boolean =>
    directory.holds(channel, from) && (to === null || directory.holds(channel, to));
  // Who asked for a version is helped by a way to that only.
  const hasOtherWay = alternatives.some((way) => state.to !== to || way.to === to);
  const fixes = fixesFor(reason, { ...state, holdsBoth, hasOtherWay }, nearestTarget);
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
            <button
              key={label}
              type="button"
              class={`button ${at === 0 ? 'primary' : ''}`}
              onClick={() => askFor(patch)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {alternatives.length > 0 && (
        <section class="stack-small" aria-labelledby="instead">
          <h3 id="instead">Paths there are instead</h3>
          <ul class="stack-small">
            {alternatives.map((way) => (
              <Nearby key={`${way.channels.join()} ${way.to}`} way={way} />
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Nearby({ way: { channels, to, hops, riskyHops, path } }: { readonly way: NearbyWay }) {
  return (
    <li class="nearby stack-small">
      <div class="row spread">
        <strong>
          To <span class="mono">{to}</span> by {channels.join(', then ')}
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
        <button
          type="button"
          class="button no-print"
          // A way through several channels is found by leaving the choice open.
          onClick={() => askFor({ to, channel: channels.length === 1 ? channels[0]! : '' })}
        >
          Use this<span class="visually-hidden"> way to {to}</span>
        </button>
      </div>
    </li>
  );
}
