import type { Minor } from '@cairn/shared/version/minor';
import type { JSX } from 'preact';
import type { Lane } from './layout.ts';
import { counted, type SupportBadge } from './model.ts';

interface LaneLabelsProps {
  readonly lanes: readonly Lane[];
  readonly open: ReadonlySet<Minor>;
  readonly support: ReadonlyMap<Minor, SupportBadge>;
  readonly onOpen: (minors: readonly Minor[]) => void;
}

/** Outside of the scrolling area. */
export function LaneLabels({ lanes, open, support, onOpen }: LaneLabelsProps) {
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
            {isOpen && badge && <Support badge={badge} />}
          </div>
        );
      })}
    </div>
  );
}

export function Support({ badge: { words, until } }: { readonly badge: SupportBadge }) {
  return (
    <>
      <span class="pill">{words}</span>
      {until !== null && <span class="lane-count">until {until}</span>}
    </>
  );
}

interface FoldButtonProps {
  readonly minor: Minor;
  readonly isOpen: boolean;
  readonly onFold: () => void;
  readonly children?: JSX.Element | false;
}

export function FoldButton({ minor, isOpen, onFold, children }: FoldButtonProps) {
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

/** Open minors after the toggle, newest first. */
export function toggled(lanes: readonly Lane[], open: ReadonlySet<Minor>, minor: Minor): Minor[] {
  return lanes.map((lane) => lane.minor).filter((known) => open.has(known) !== (known === minor));
}

export interface WantedLabel {
  readonly x: number;
  /** Line of its lane: only labels of one lane can collide. */
  readonly y: number;
  readonly width: number;
  /** Side of `x`: 0 is centered, -1 is left, to avoid a line that goes up. */
  readonly side: -1 | 0 | 1;
  /** A badge has a stem, so it can move up but not sideways. */
  readonly isFixed: boolean;
}

interface PlacedLabel {
  readonly x: number;
  /** Number of labels below it. */
  readonly level: number;
}

const LEVELS = [0, 1, 2, 3];
const SIDES = [0, -1, 1];
/** Cost of moving aside: more than one level up, less than two. */
const ASIDE = 1.5;
const APART = 4;
const BESIDE = 13;

/** Places each label as close as possible without touching earlier ones or leaving the width. */
export function stackLabels(wanted: readonly WantedLabel[], width: number): PlacedLabel[] {
  const taken: (PlacedLabel & Pick<WantedLabel, 'y' | 'width'>)[] = [];
  return wanted.map((label) => {
    const choices = LEVELS.flatMap((level) =>
      SIDES.map((side) => ({ level, side, cost: level + (side === label.side ? 0 : ASIDE) })),
    )
      .filter(({ side }) => !label.isFixed || side === label.side)
      .toSorted((a, b) => a.cost - b.cost)
      .map(({ level, side }) => ({
        level,
        x: within(label.x + side * (BESIDE + label.width / 2), label, width),
      }));
    const isFree = (choice: PlacedLabel) =>
      !taken.some(
        (other) =>
          other.y === label.y &&
          other.level === choice.level &&
          Math.abs(other.x - choice.x) < (other.width + label.width) / 2 + APART,
      );
    const placed = choices.find(isFree) ?? choices.at(-1)!;
    taken.push({ ...placed, y: label.y, width: label.width });
    return placed;
  });
}

function within(x: number, label: WantedLabel, width: number): number {
  return Math.min(width - label.width / 2, Math.max(label.width / 2, x));
}
