import { h, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BrokenNote } from './errors.tsx';

/**
 * A component whose code is loaded when it is first shown, so that the page itself stays small. A page that was left open
 * over an update asks for files that are gone: then only loading it anew helps.
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
