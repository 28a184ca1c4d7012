import type { ComponentChildren } from 'preact';

export type Tone = 'ok' | 'cond' | 'block' | 'info' | 'plain';

/** Beside the colour, which not everyone sees. */
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

/** A link that came with data: followed only to https, and by a site that learns nothing of this page. */
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
