import type { Mistake } from '@cairn/shared/input/input-value';
import { isInFuture } from '@cairn/shared/time/future';
import { useEffect, useState } from 'preact/hooks';
import { useSync } from '../data/releases.ts';
import { useStatus, readToken } from '../data/status.ts';
import { useNow } from '../data/use-live.ts';
import { setState } from '../state/navigation.ts';
import { THEMES, type Theme } from '../state/url-state.ts';
import { Pill, type Tone, Button } from '../ui/controls.tsx';
import { Retry } from '../ui/errors.tsx';
import { lazy } from '../ui/lazy.tsx';
import { ageInWords, localTime } from '../ui/text.ts';

const HOUR = 3600_000;

export function DataBadges() {
  const now = useNow();
  const sync = useSync();
  const { freshness } = useStatus();
  const syncedAt = freshness?.syncedAt ?? sync?.lastRun?.slot ?? null;
  return (
    <>
      {sync?.upstream?.kind === 'demo' && <Pill tone="info">Demo data</Pill>}
      {syncedAt !== null && (
        <span title={localTime(syncedAt)}>
          <Pill tone={toneOf(syncedAt, now)}>Data {ageInWords(syncedAt, now)}</Pill>
        </span>
      )}
    </>
  );
}

function toneOf(at: string, now: number): Tone {
  const age = now - Date.parse(at);
  if (isInFuture(at, now)) return 'block';
  if (age <= HOUR) return 'ok';
  return age <= 24 * HOUR ? 'cond' : 'block';
}

/** Reports URL mistakes, and cached data shown in place of newer data. */
export function Notices({ mistakes }: { readonly mistakes: readonly Mistake[] }) {
  const { kept, freshness } = useStatus();
  if (!kept && mistakes.length === 0) return null;
  return (
    <div class="page stack-small notices">
      {kept && (
        <div class="note cond" role="status">
          <p>
            {kept.title}. This is the data{' '}
            {freshness?.syncedAt ? `of ${localTime(freshness.syncedAt)}` : 'that was loaded before'}.
          </p>
          <Retry seconds={kept.retryAfter} onRetry={() => location.reload()} />
        </div>
      )}
      {mistakes.map(({ parameter, value, detail, accepted }) => (
        <div key={parameter} class="note cond" role="status">
          The address says {parameter}=<code>{String(value).slice(0, 80)}</code>, which {detail}; {accepted}{' '}
          would be accepted.
        </div>
      ))}
    </div>
  );
}

const SignInDialog = lazy(async () => (await import('../sign-in/dialog.tsx')).SignInDialog);

/** Visible after a request was rejected, and to signed-in users. */
export function SignIn() {
  const { refused } = useStatus();
  const [isOpen, setOpen] = useState(false);
  if (!refused && !readToken()) return null;
  return (
    <>
      <Button kind={refused ? 'primary' : ''} onClick={() => setOpen(true)}>
        {refused ? 'Sign in' : 'Account'}
      </Button>
      {isOpen && <SignInDialog refused={refused} onClose={() => setOpen(false)} />}
    </>
  );
}

const SYMBOLS: Readonly<Record<Theme, string>> = { auto: '◐', light: '○', dark: '●' };
const THEME_KEY = 'cairn-theme';

/** Stored choice, else the system theme. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? 'auto';
}

export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** A theme in the URL applies to this visit only; a chosen one is stored. */
export function ThemeButton({ fromUrl }: { readonly fromUrl: Theme | null }) {
  const [stored, setStored] = useState(storedTheme);
  const theme = fromUrl ?? stored;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  useEffect(() => showTheme(theme), [theme]);
  const change = (): void => {
    localStorage.setItem(THEME_KEY, next);
    setStored(next);
    setState({ theme: null }, { push: false });
  };
  return (
    <Button kind="icon" aria-label={`Theme: ${theme}. Change to ${next}`} onClick={change}>
      {SYMBOLS[theme]}
    </Button>
  );
}
