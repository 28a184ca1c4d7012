import { h, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Resource } from '../data/use-query.ts';
import { BrokenNote, ErrorNote } from './errors.tsx';

/**
 * Loads a component when first shown, to keep the page small. A page that was open during a deployment requests deleted
 * files: then only a reload helps.
 */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [state, setState] = useState<'waiting' | 'ready' | 'failed'>(loaded ? 'ready' : 'waiting');
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          setState('ready');
        },
        () => setState('failed'),
      );
    }, []);
    if (loaded) return h(loaded, props);
    if (state === 'waiting') return <div class="skeleton" aria-busy="true" />;
    return (
      <BrokenNote what="This part of the page could not be loaded; it may have been updated meanwhile." />
    );
  };
}

interface LoadedProps<T> {
  readonly resource: Resource<T>;
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows the value, or the error; keeps the old value during a reload. */
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

/** Minimum widths in pixels for lanes and for two columns. */
const LIMITS = { lanes: 640, columns: 1024 } as const;

export function useRoomFor(what: keyof typeof LIMITS): boolean {
  const query = `(min-width: ${LIMITS[what]}px)`;
  const [hasRoom, setRoom] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = (): void => setRoom(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, []);
  return hasRoom;
}
