import { useEffect, useState } from 'preact/hooks';

/** What is typed, once no letter has come for a moment; an empty field counts at once. */
export function useSettled(typed: string, ms: number): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), ms);
    return () => clearTimeout(timer);
  }, [typed, ms]);
  return typed === '' ? '' : settled;
}
