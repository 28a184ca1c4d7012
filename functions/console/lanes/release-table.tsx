import { useMemo, useState } from 'preact/hooks';
import { Button, TableHead } from '../ui/controls.tsx';
import { FoldButton, Support, toggled } from './labels.tsx';
import { NoReleases } from './lanes.tsx';
import { lanesOf, openMinors, type Lane } from './layout.ts';
import { counted, countUpdates, marksOf, notesOf, plannedEnds, type LanesProps, type Mark } from './model.ts';
import { ErrataLink } from './selected-release.tsx';

/** Lanes as tables, one per minor: for narrow screens, and as an alternative in text. */
export function ReleaseTable(props: LanesProps) {
  const { graph, support } = props;
  const lanes = useMemo(() => lanesOf(graph), [graph]);
  const open = openMinors(graph, lanes, props.open, plannedEnds(props));
  const marks = useMemo(
    () => marksOf(graph, props.selected, props.direction, props.frontier),
    [graph, props.selected, props.direction, props.frontier],
  );
  if (lanes.length === 0) return <NoReleases />;
  return (
    <section class="card release-tables" aria-label={props.label}>
      {lanes.map((lane) => {
        const isOpen = open.has(lane.minor);
        const badge = support.get(lane.minor);
        return (
          <div key={lane.minor}>
            <div class="row">
              <h3>
                <FoldButton
                  minor={lane.minor}
                  isOpen={isOpen}
                  onFold={() => props.onOpen(toggled(lanes, open, lane.minor))}
                />
              </h3>
              <span class="lane-count">{counted(lane.places.length, 'release')}</span>
              {badge && <Support badge={badge} />}
            </div>
            {isOpen && <LaneTable {...props} lane={lane} marks={marks} />}
          </div>
        );
      })}
    </section>
  );
}

/** Newest rows shown before "show all". */
const FIRST_ROWS = 10;

interface LaneTableProps extends LanesProps {
  readonly lane: Lane;
  readonly marks: readonly Mark[];
}

function LaneTable(props: LaneTableProps) {
  const { graph, lane, path, selected, frontier, clusters } = props;
  const [isWhole, setWhole] = useState(false);
  const newestFirst = lane.places.toReversed();
  const onPath = new Set(path.map(({ version }) => version));
  const versionAt = (place: number) => graph.nodes[place]!.version;
  // Always show planned and selected releases.
  const isNeeded = (place: number) => {
    const version = versionAt(place);
    return onPath.has(version) || [selected, frontier?.from, frontier?.to].includes(version);
  };
  const isCut = !isWhole && newestFirst.length > FIRST_ROWS + 2;
  const rows = isCut ? newestFirst.filter((place, at) => at < FIRST_ROWS || isNeeded(place)) : newestFirst;
  const hasClusters = lane.places.some((place) => clusters.has(versionAt(place)));
  return (
    <>
      <div class="table-box">
        <table class="table release-table">
          <caption class="visually-hidden">Releases of {lane.minor}, newest first</caption>
          <TableHead titles={['Release', 'Updates out', ...(hasClusters ? ['Clusters'] : []), 'Erratum']} />
          <tbody>
            {rows.map((place) => (
              <ReleaseRow
                key={versionAt(place)}
                {...props}
                place={place}
                isOnPath={onPath.has(versionAt(place))}
                hasClusters={hasClusters}
              />
            ))}
          </tbody>
        </table>
      </div>
      {isCut && rows.length < newestFirst.length && (
        <Button kind="plain" onClick={() => setWhole(true)}>
          Show all {newestFirst.length}
        </Button>
      )}
    </>
  );
}

interface ReleaseRowProps extends LaneTableProps {
  readonly place: number;
  readonly isOnPath: boolean;
  readonly hasClusters: boolean;
}

function ReleaseRow(props: ReleaseRowProps) {
  const { graph, place, marks, isOnPath, selected, direction, frontier, hasClusters } = props;
  const node = graph.nodes[place]!;
  const isSelected = node.version === selected;
  const clusters = props.clusters.get(node.version) ?? 0;
  const { recommended, conditional } = countUpdates(graph, place, 'out');
  const notes = notesOf({ isOnPath, mark: marks[place]!, selected, direction, frontier, clusters });
  return (
    <tr data-version={node.version}>
      <th scope="row">
        <Button
          kind="plain mono"
          aria-pressed={isSelected}
          onClick={() => props.onSelect(isSelected ? null : node.version)}
        >
          {node.version}
        </Button>
        {notes.map(({ symbol, text, about, kind }) => (
          <span key={kind} class="release-note" data-mark={kind}>
            <span aria-hidden="true">{symbol}&nbsp;</span>
            {text} <span class="release-detail">{about}</span>
          </span>
        ))}
      </th>
      <td>
        <Count symbol="●" count={recommended} kind="recommended" />{' '}
        <Count symbol="▲" count={conditional} kind="conditional" />
      </td>
      {hasClusters && <td>{clusters > 0 && clusters}</td>}
      <td class="nowrap small">
        <ErrataLink node={node} />
      </td>
    </tr>
  );
}

function Count({ symbol, count, kind }: { symbol: string; count: number; kind: string }) {
  if (count === 0) return null;
  return (
    <span class="release-count" data-mark={kind}>
      <span aria-hidden="true">{symbol}</span> {count}
      <span class="release-detail"> {kind}</span>
    </span>
  );
}
