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
