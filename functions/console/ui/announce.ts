import { useEffect, useRef } from 'preact/hooks';

export const ANNOUNCEMENTS_ID = 'announcements';

export function announce(text: string): void {
  const region = document.getElementById(ANNOUNCEMENTS_ID);
  if (region && region.textContent !== text) region.textContent = text;
}

const SHORTCUTS_KEY = 'cairn-shortcuts';

/** Single-key shortcuts can conflict with speech input, so users can disable them (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(SHORTCUTS_KEY) !== 'off';
}

export function switchShortcuts(on: boolean): void {
  localStorage.setItem(SHORTCUTS_KEY, on ? 'on' : 'off');
}

function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type=radio], [type=checkbox]), textarea, select, dialog, [contenteditable]';
  return target instanceof Element && target.closest(fields) !== null;
}

/** Ignores keys in text fields. */
export function useShortcuts(handlers: Readonly<Record<string, () => void>>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const handler = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!handler || isTyping(event.target)) return;
      // Named keys, such as Escape, do not conflict with speech input.
      if (event.key.length === 1 && !areShortcutsOn()) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
