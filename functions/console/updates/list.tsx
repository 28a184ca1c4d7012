import { Command, PageLink } from '../ui/controls.tsx';
import { Bars, Glyph, Marked, Move, ProgressBar } from './marks.tsx';
import {
  barsOf,
  controlPlaneBar,
  countOf,
  type Counts,
  endOf,
  leftAfterFix,
  type Mark,
  markOf,
  MARKS,
  noteOf,
  progressNote,
  type UpdateLine,
  withoutLead,
  workersBar,
} from './words.ts';

interface StripProps {
  readonly counts: Counts;
  /** State of the filter; empty without one. */
  readonly chosen: string;
  readonly onChoose: (mark: Mark | '') => void;
}

/** Numbers by state; each is a filter. */
export function UpdatesStrip({ counts, chosen, onChoose }: StripProps) {
  return (
    <ul class="upd-strip" aria-label="Updates by state">
      {Object.entries(MARKS).map(([name, word]) => {
        const mark = name as Mark;
        const isChosen = chosen === mark;
        return (
          <li key={mark}>
            <button
              type="button"
              class="upd-number"
              aria-pressed={isChosen}
              onClick={() => onChoose(isChosen ? '' : mark)}
            >
              <span>
                <Glyph name={mark} size={14} /> {word}
              </span>
              <strong>{countOf(counts, mark)}</strong>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface LinesProps {
  readonly lines: readonly UpdateLine[];
  readonly now: number;
}

function OpenLink({ id }: { readonly id: string }) {
  return (
    <PageLink class="upd-open" to="updates" patch={{ cluster: id }}>
      {id}
    </PageLink>
  );
}

export function StalledCards({ lines, now }: LinesProps) {
  return (
    <ul class="upd-cards" aria-label="Stalled updates">
      {lines.map((line) => (
        <li key={line.id} class="upd-panel upd-card">
          <StalledCard line={line} now={now} />
        </li>
      ))}
    </ul>
  );
}

function StalledCard({ line, now }: { readonly line: UpdateLine; readonly now: number }) {
  const { id, from, to, attention, stuck } = line;
  return (
    <>
      <Glyph name="stalled" size={36} />
      <div class="upd-card-text">
        <p class="upd-card-title">
          <OpenLink id={id} /> <Move from={from} to={to} />
          <span class="visually-hidden"> is stalled</span>
          <span class="upd-progressed">{progressNote(line, now)}</span>
        </p>
        <p class="upd-what">
          {attention === null ? (
            'The update does not progress'
          ) : (
            <Marked text={attention.what} name={attention.subject} />
          )}
          {stuck > 1 && <span class="muted">, {stuck} nodes are stuck</span>}
        </p>
        {attention !== null && <AttentionDetail attention={attention} />}
      </div>
      <Bars bars={barsOf(line)} />
      <p class="upd-end">
        <span>Left after the fix</span>
        <strong>{leftAfterFix(line)}</strong>
      </p>
    </>
  );
}

type Attention = NonNullable<UpdateLine['attention']>;

/** A wall shows no commands, and so not what leads to one. */
function AttentionDetail({ attention: { detail, command } }: { readonly attention: Attention }) {
  const [facts, lead] = command === null ? [detail, ''] : withoutLead(detail);
  return (
    <>
      {detail !== '' && (
        <p class="upd-detail">
          {facts} {lead !== '' && <span class="upd-lead">{lead}:</span>}
        </p>
      )}
      {command !== null && <Command command={command} />}
    </>
  );
}

const COLUMNS = ['Cluster', 'Update', 'Control plane', 'Worker nodes', 'Likely end'] as const;

/** Rows with a bar for each part. A row is as wide as its link. */
export function UpdatesTable({ lines, now }: LinesProps) {
  return (
    <div class="upd-panel">
      <table class="upd-table">
        <caption class="visually-hidden">Updates by urgency</caption>
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row key={line.id} line={line} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ line, now }: { readonly line: UpdateLine; readonly now: number }) {
  const { id, state, from, to } = line;
  const mark = markOf(state);
  const end = endOf(line, now);
  const note = noteOf(line, now);
  const parts = [controlPlaneBar(line), workersBar(line)];
  return (
    <tr>
      <th scope="row">
        <div class="upd-name">
          <Glyph name={mark} size={18} />
          <span class="visually-hidden">{MARKS[mark]}: </span>
          <div>
            <OpenLink id={id} />
            <span class="upd-note" title={note}>
              {note}
            </span>
          </div>
        </div>
      </th>
      <td>
        <Move from={from} to={to} />
        <span class="upd-note">{progressNote(line, now)}</span>
      </td>
      {parts.map((bar) => (
        <td key={bar.name} data-label>
          <div class="upd-part" data-part={bar.name}>
            <ProgressBar bar={bar} />
            <span class="upd-bar-text">{bar.text}</span>
          </div>
        </td>
      ))}
      <td class="upd-end">
        <strong>{end.time}</strong>
        <span>{end.note}</span>
      </td>
    </tr>
  );
}
