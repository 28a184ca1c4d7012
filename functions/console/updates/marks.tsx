import type { JSX } from 'preact';
import type { UpdateStatusView } from '../data/responses.ts';
import type { Bar, Mark } from './words.ts';

type Level = UpdateStatusView['insights'][number]['level'];
export type GlyphName = Mark | Level | 'none' | 'unknown';

const disc = <circle cx="8" cy="8" r="7" fill="currentColor" />;
const ring = <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6" />;
const dashedRing = (
  <circle
    cx="8"
    cy="8"
    r="6.2"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-dasharray="2.6 2.2"
  />
);
const bars = 'M6 5v6M10 5v6';
const cross = 'm5.5 5.5 5 5m0-5-5 5';
const octagon = <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />;

/** Every state has its own shape, so that color is never all. */
const SHAPES: Readonly<Record<GlyphName, readonly [shape: JSX.Element, stroke: string]>> = {
  stalled: [<rect x="1" y="1" width="14" height="14" rx="3" fill="currentColor" />, bars],
  silent: [dashedRing, 'M5 8h.01M8 8h.01M11 8h.01'],
  slow: [disc, 'M8 4.5V8l2.3 1.6'],
  'on-track': [<circle cx="8" cy="8" r="6" class="upd-arc-rest" />, ''],
  held: [ring, 'M6.5 5.5v5M9.5 5.5v5'],
  completed: [disc, 'm4.8 8.2 2.2 2.2 4.2-4.4'],
  Critical: [octagon, cross],
  Error: [octagon, cross],
  Warning: [<path d="M8 1.2 15.4 14.4H.6z" fill="currentColor" />, 'M8 6v4M8 12h.01'],
  Info: [ring, 'M8 7.5v3.5M8 5h.01'],
  unknown: [dashedRing, 'M6.3 6.6a1.8 1.8 0 1 1 2.5 1.6Q8 8.5 8 9.2M8 11.3h.01'],
  none: [ring, 'M5 8h6'],
};

/** Its word stands beside it. */
export function Glyph({ name, size = 16 }: { readonly name: GlyphName; readonly size?: number }) {
  const [shape, stroke] = SHAPES[name];
  return (
    <svg class={`upd-glyph ${name}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {shape}
      {name === 'on-track' && <path d="M8 2a6 6 0 0 1 5.2 9" class="upd-arc" />}
      {stroke && <path d={stroke} class="upd-glyph-line" />}
    </svg>
  );
}

const share = (part: number, total: number): string => `${total === 0 ? 0 : (100 * part) / total}%`;

/** The text is beside the bar, so the bar itself is silent. */
export function ProgressBar({ bar }: { readonly bar: Bar }) {
  const { done, moving, stuck, total, isStalled } = bar;
  const tone = isStalled ? 'stalled' : done === total ? 'done' : '';
  return (
    <span class="upd-track" aria-hidden="true">
      <span class={`upd-fill ${tone}`} style={{ width: share(done, total) }} />
      {moving > 0 && <span class="upd-fill moving" style={{ width: share(moving, total) }} />}
      {stuck > 0 && <span class="upd-fill stuck" style={{ width: share(stuck, total) }} />}
    </span>
  );
}

export function Bars({ bars: shown }: { readonly bars: readonly Bar[] }) {
  return (
    <ul class="upd-bars">
      {shown.map((bar) => (
        <li key={bar.name}>
          <span>{bar.name}</span>
          <ProgressBar bar={bar} />
          <span class="upd-bar-text">{bar.text}</span>
        </li>
      ))}
    </ul>
  );
}

/** `4.14.0 → 4.14.1`; an arrow is read out as a word. */
export function Move({ from, to }: { readonly from: string | null; readonly to: string }) {
  if (from === null) return <span class="upd-move">Installation of {to}</span>;
  // The release stays, its image is another one.
  if (from === to) return <span class="upd-move">{to} to multi-architecture</span>;
  return (
    <span class="upd-move">
      {from} <span aria-hidden="true">→</span>
      <span class="visually-hidden"> to</span> {to}
    </span>
  );
}

/** Text with the name of its subject set off. */
export function Marked({ text, name }: { readonly text: string; readonly name: string }) {
  const at = name === '' ? -1 : text.indexOf(name);
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <strong>{name}</strong>
      {text.slice(at + name.length)}
    </>
  );
}
