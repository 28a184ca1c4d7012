import { useShortcuts } from './announce.ts';

/** `j` and `k` move between the links of a list; `more` are further keys of the view. */
export function useListKeys(more: Readonly<Record<string, () => void>> = {}): void {
  const move = (by: number): void => {
    const links = [...document.querySelectorAll<HTMLElement>('.upd-open')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), ...more });
}
