import { THEMES, type Theme } from './url-state.ts';

const KEY = 'cairn-theme';

/** Stored choice, else the system theme. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? 'auto';
}

export function storeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
}

export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
}
