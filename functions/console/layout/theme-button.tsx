import { useEffect, useState } from 'preact/hooks';
import { nextTheme, showTheme, storedTheme, storeTheme } from '../state/theme.ts';
import { setState } from '../state/navigation.ts';
import type { Theme } from '../state/url-state.ts';

const SYMBOLS: Readonly<Record<Theme, string>> = { auto: '◐', light: '○', dark: '●' };

/** A theme in the address is for this look only; one that is chosen here stays. */
export function ThemeButton({ fromUrl }: { readonly fromUrl: Theme | null }) {
  const [stored, setStored] = useState(storedTheme);
  const theme = fromUrl ?? stored;
  useEffect(() => showTheme(theme), [theme]);
  const change = (): void => {
    const next = nextTheme(theme);
    storeTheme(next);
    setStored(next);
    setState({ theme: null }, { push: false });
  };
  return (
    <button
      type="button"
      class="button icon"
      aria-label={`Theme: ${theme}. Change to ${nextTheme(theme)}`}
      onClick={change}
    >
      {SYMBOLS[theme]}
    </button>
  );
}
