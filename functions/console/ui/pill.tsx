import type { ComponentChildren } from 'preact';

export type Tone = 'ok' | 'cond' | 'block' | 'info' | 'plain';

/** In addition to the color, which not all users see. */
const SYMBOLS: Readonly<Record<Tone, string>> = { ok: '●', cond: '▲', block: '■', info: '', plain: '' };

export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  const symbol = SYMBOLS[tone];
  return (
    <span class={`pill ${tone}`}>
      {symbol && <span aria-hidden="true">{symbol} </span>}
      {children}
    </span>
  );
}

/** Link from data: only https, and without a referrer or opener. */
export function ExternalLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  const isSafe = URL.parse(href)?.protocol === 'https:';
  if (!isSafe) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
