import { useEffect, useState } from 'preact/hooks';

let isNeeded = false;
const listeners = new Set<(needed: boolean) => void>();

/** Something was refused for want of a token. */
export function noteSignInNeeded(): void {
  isNeeded = true;
  for (const listener of listeners) listener(true);
}

export function useSignInNeeded(): boolean {
  const [needed, setNeeded] = useState(isNeeded);
  useEffect(() => {
    listeners.add(setNeeded);
    setNeeded(isNeeded);
    return () => {
      listeners.delete(setNeeded);
    };
  }, []);
  return needed;
}
