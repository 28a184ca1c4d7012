import type { ComponentChildren } from 'preact';
import type { Resource } from '../data/resource.ts';
import { ErrorNote } from './error-note.tsx';

export interface LoadedProps<T> {
  readonly resource: Resource<T>;
  /** What is waited for: `versions`. */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What was read, or why it is not there; what it was before stays while it is read again. */
export function Loaded<T>({ resource: { value, error, reload }, what, children }: LoadedProps<T>) {
  return (
    <>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value !== null && children(value)}
      {value === null && !error && (
        <div class="stack" aria-busy="true">
          <p class="visually-hidden">Loading {what}</p>
          <div class="skeleton" />
          <div class="skeleton releases-tall" />
        </div>
      )}
    </>
  );
}
