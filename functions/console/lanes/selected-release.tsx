import type { ReleaseNode } from '@cairn/shared/graph/graph';
import { updateRanges, type UpdateRange } from '@cairn/shared/path/update-ranges';
import { useState } from 'preact/hooks';
import { CopyButton, ExternalLink, Pill, Button } from '../ui/controls.tsx';
import { shortDigest } from '../ui/text.ts';
import { counted, countsInWords, countUpdates, isExcluded, type LanesProps } from './model.ts';

interface SelectedReleaseProps extends LanesProps {
  readonly version: string;
}

const DIRECTIONS = [
  ['out', 'Updates from it'],
  ['in', 'Updates to it'],
] as const;

export function SelectedRelease(props: SelectedReleaseProps) {
  const { graph, version, direction } = props;
  const place = graph.index.get(version);
  if (place === undefined) return null;
  const node = graph.nodes[place]!;
  const digest = node.payload.slice(node.payload.indexOf('@') + 1);
  return (
    <section class="card selected-release stack-small" aria-label={`Release ${version}`}>
      <div class="row">
        <h3 class="mono">{version}</h3>
        <span>{countsInWords(countUpdates(graph, place, direction), direction)}</span>
        <ErrataLink node={node} />
        <Button onClick={() => props.onFrom(version)}>Start here</Button>
        {isExcluded(graph, version) ? (
          <Pill tone="block">Excluded</Pill>
        ) : (
          <Button onClick={() => props.onTo(version)}>Go here</Button>
        )}
      </div>
      <div class="row">
        <code title={digest}>{shortDigest(digest, 8)}</code>
        <CopyButton kind="plain" text={() => node.payload} what={`the image of ${version}`}>
          Copy image
        </CopyButton>
        <div class="direction-switch" role="group" aria-label="Which updates are shown">
          {DIRECTIONS.map(([each, text]) => (
            <Button key={each} aria-pressed={each === direction} onClick={() => props.onDirection(each)}>
              {text}
            </Button>
          ))}
        </div>
      </div>
      <Ranges key={`${version} ${direction}`} ranges={updateRanges(graph, version, direction)} />
    </section>
  );
}

/** Ranges shown before "show all". */
const FIRST_RANGES = 6;

function Ranges({ ranges }: { readonly ranges: readonly UpdateRange[] }) {
  const [isWhole, setWhole] = useState(false);
  if (ranges.length === 0) return null;
  const isCut = !isWhole && ranges.length > FIRST_RANGES + 1;
  return (
    <>
      <ul class="update-ranges">
        {ranges.slice(0, isCut ? FIRST_RANGES : undefined).map(({ first, last, count, risks }) => (
          <li key={first}>
            <span class="mono nowrap">{first === last ? first : `${first} – ${last}`}</span>
            <span class="muted small nowrap">{counted(count, 'release')}</span>
            <span class="range-risks">
              {risks.length === 0 && <Pill tone="ok">Recommended</Pill>}
              {risks.map((risk) => (
                <Pill key={risk} tone="cond">
                  {risk}
                </Pill>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {isCut && (
        <Button kind="plain more-ranges" onClick={() => setWhole(true)}>
          Show all {ranges.length} ranges
        </Button>
      )}
    </>
  );
}

/** Named after the erratum; null without a URL. */
export function ErrataLink({ node }: { readonly node: ReleaseNode }) {
  const address = node.metadata['url'];
  if (address === undefined || URL.parse(address)?.protocol !== 'https:') return null;
  const name = /[A-Z]{4}-\d{4}:\d+$/.exec(address)?.[0];
  return <ExternalLink href={address}>{name ?? 'Release notes'}</ExternalLink>;
}
