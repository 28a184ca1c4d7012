import { useEffect, useRef } from 'preact/hooks';

const EVERY_MS = 10_000;

/** Looks every ten seconds for as long as something is awaited, but not while nobody sees the page. */
export function useAwaited(isAwaited: boolean, look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isAwaited]);
}
