import type { JSX } from 'preact';
import type { Minor } from '@cairn/shared/version/minor';
import type { Lane } from './layout.ts';
import { counted } from './words.ts';

interface LaneLabelsProps {
  readonly lanes: readonly Lane[];
  readonly open: ReadonlySet<Minor>;
  readonly support: ReadonlyMap<Minor, string>;
  readonly onOpen: (minors: readonly Minor[]) => void;
}

/** The names of the lanes. They stand outside of what scrolls. */
export function LaneLabels({ lanes, open, support, onOpen }: LaneLabelsProps): JSX.Element {
  return (
    <div class="lane-labels">
      {lanes.map((lane) => {
        const isOpen = open.has(lane.minor);
        const count = counted(lane.places.length, 'release');
        const badge = support.get(lane.minor);
        return (
          <div key={lane.minor} class={isOpen ? 'lane-label' : 'lane-label folded'}>
            <FoldButton
              minor={lane.minor}
              isOpen={isOpen}
              onFold={() => onOpen(toggled(lanes, open, lane.minor))}
            >
              {!isOpen && (
                <>
                  : <span class="lane-count">{count}</span>
                </>
              )}
            </FoldButton>
            {isOpen && <span class="lane-count">{count}</span>}
            {isOpen && badge !== undefined && <span class="pill">{badge}</span>}
          </div>
        );
      })}
    </div>
  );
}

interface FoldButtonProps {
  readonly minor: Minor;
  readonly isOpen: boolean;
  readonly onFold: () => void;
  readonly children?: JSX.Element | false;
}

export function FoldButton({ minor, isOpen, onFold, children }: FoldButtonProps): JSX.Element {
  return (
    <button type="button" class="lane-fold" aria-expanded={isOpen} onClick={onFold}>
      <svg width="10" height="10" aria-hidden="true">
        <path d={isOpen ? 'M0.5 3H9.5L5 8z' : 'M3 0.5V9.5L8 5z'} />
      </svg>
      <span>
        <b>{minor}</b>
        {children}
      </span>
    </button>
  );
}

/** The minors that are open once one more is opened or closed, newest first. */
export function toggled(lanes: readonly Lane[], open: ReadonlySet<Minor>, minor: Minor): Minor[] {
  return lanes.map((lane) => lane.minor).filter((known) => open.has(known) !== (known === minor));
}
