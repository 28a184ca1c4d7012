import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from './announce.ts';

const SHOWN_MS = 2000;

async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard) {
    if (typeof text === 'string') return navigator.clipboard.writeText(text);
    // Browsers require the write during the click, so a pending text is passed as a promise.
    const blob = text.then((made) => new Blob([made], { type: 'text/plain' }));
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  }
  // Without https or localhost only the old command is available.
  const area = document.createElement('textarea');
  area.value = await text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('the browser does not let the page copy');
}

interface CopyButtonProps {
  readonly text: () => string | Promise<string>;
  /** For the announcement: `the digest of 4.16.2`. */
  readonly what: string;
  readonly kind?: 'primary' | 'plain' | '';
  readonly id?: string;
  readonly children: ComponentChildren;
}

export function CopyButton({ text, what, kind = '', id, children }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    const outcome = await copyText(text()).then(
      () => 'Copied',
      () => 'Could not copy',
    );
    announce(outcome === 'Copied' ? `Copied ${what}` : `Could not copy ${what}`);
    setSaid(outcome);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setSaid(null), SHOWN_MS);
  };
  return (
    <button type="button" id={id} class={`button ${kind}`} onClick={() => void copy()}>
      {said ?? children}
    </button>
  );
}

export function Command({ command }: { readonly command: string }) {
  return (
    <div class="command">
      <code>{command}</code>
      <CopyButton kind="plain" text={() => command} what="the command">
        Copy<span class="visually-hidden"> the command</span>
      </CopyButton>
    </div>
  );
}

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started reading by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}
