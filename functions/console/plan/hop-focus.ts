/** Moves the focus to the hop before or after the one that has it; from elsewhere to the first or last. */
export function focusHop(by: 1 | -1): void {
  const hops = [...document.querySelectorAll<HTMLElement>('.hop')];
  const at = hops.findIndex((hop) => hop.contains(document.activeElement));
  const next = at === -1 ? (by === 1 ? 0 : hops.length - 1) : at + by;
  hops[next]?.focus();
}
