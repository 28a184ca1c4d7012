import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../data/responses.ts';
import { announce } from '../ui/announce.ts';
import { CopyButton, Button, TableHead } from '../ui/controls.tsx';
import { localTime } from '../ui/text.ts';

/** Local time, with UTC as tooltip. */
export function When({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {localTime(at)}
    </time>
  );
}

/** `2026-11-16` in the local date format. */
export function Day({ day }: { readonly day: string }) {
  const words = new Date(day).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
  return <time dateTime={day}>{words}</time>;
}

interface FactsProps {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
  readonly isWide?: boolean;
}

/** Omits null values. */
export function Facts({ of, isWide }: FactsProps) {
  return (
    <dl class={isWide ? 'facts wide' : 'facts'}>
      {of
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly [name: string, ...cells: ComponentChildren[]])[];
}

/** Scrolls within itself if it is too wide. */
export function Table({ label, head, rows }: TableProps) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      <table class="table carded">
        <TableHead titles={head} />
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td data-label={head[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="stack-small">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface UnfoldProps {
  readonly what: 'Details' | 'Report';
  /** Subject for screen readers. */
  readonly of: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function Unfold({ what, of, isOpen, onToggle }: UnfoldProps) {
  return (
    <Button kind="plain nowrap" aria-expanded={isOpen} onClick={onToggle}>
      <span>
        {what}
        <span class="visually-hidden"> of {of}</span>
      </span>
      <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
    </Button>
  );
}

export function Command({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="fleet-command">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={() => text} what={what}>
        Copy
      </CopyButton>
    </div>
  );
}

interface ShowMoreProps {
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

export function ShowMore({ isLoading, onMore }: ShowMoreProps) {
  return (
    <div>
      <Button disabled={isLoading} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}

export function Skeleton() {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="visually-hidden">Loading</span>
    </div>
  );
}

/** State of a request that the user started. */
export function useAction() {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      announce(failure.title);
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, run, forgetError: () => setError(null) };
}
