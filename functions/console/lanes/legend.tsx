import type { JSX } from 'preact';
import type { Frontier, Shape } from './model.ts';
import { shapePath } from './overlay.ts';

interface LegendProps {
  readonly hasPath: boolean;
  readonly hasClusters: boolean;
  readonly hasGaps: boolean;
  readonly hasExcluded: boolean;
  readonly frontier: Frontier | null;
}

/** Omits marks that are not in the picture. */
export function Legend({ hasPath, hasClusters, hasGaps, hasExcluded, frontier }: LegendProps) {
  const hasStart = frontier !== null && frontier.reachable.size > 0;
  const hasTarget = frontier !== null && frontier.reaching.size > 0;
  return (
    <ul class="lanes-legend">
      {hasPath && <Entry sample={<path class="lane-hop" d="M1 7H23" />}>planned path</Entry>}
      <Entry sample={<Sample line="recommended" mark="recommended" shape="circle" />}>recommended</Entry>
      <Entry sample={<Sample line="conditional" mark="conditional" shape="triangle" />}>conditional</Entry>
      <Entry sample={<Sample mark="release" shape="circle" />}>release</Entry>
      {hasExcluded && <Entry sample={<Sample mark="excluded" shape="cross" />}>excluded</Entry>}
      {hasStart && (
        <Entry sample={<Sample mark="reached" shape="circle" />}>reached from {frontier.from}</Entry>
      )}
      {hasTarget && <Entry sample={<Sample mark="leading" shape="diamond" />}>leads to {frontier.to}</Entry>}
      {hasGaps && (
        <Entry sample={<path class="lane-hatch" d="M4 12L12 2M9 12L17 2M14 12L22 2" />}>no way on</Entry>
      )}
      {hasClusters && (
        <Entry
          sample={
            <>
              <rect class="lane-cluster" x="4" y="0" width="17" height="14" rx="7" />
              <text class="lane-cluster-text" x="12.5" y="11">
                3
              </text>
            </>
          }
        >
          clusters here
        </Entry>
      )}
    </ul>
  );
}

function Entry({ sample, children }: { sample: JSX.Element; children: unknown }) {
  return (
    <li>
      <svg width="24" height="14" aria-hidden="true">
        {sample}
      </svg>
      <span>{children as JSX.Element}</span>
    </li>
  );
}

function Sample({ line, mark, shape }: { line?: string; mark: string; shape: Shape }) {
  return (
    <>
      {line && <path class="lane-line lane-pinned" data-kind={line} d="M0 7H24" />}
      <g class="lane-release" data-mark={mark} transform="translate(12 7)">
        <path class="lane-shape" d={shapePath(shape, 4)} />
      </g>
    </>
  );
}
