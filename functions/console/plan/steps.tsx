import type { PlanDetails } from '@cairn/shared/plan/plan';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Command } from '../ui/copy.tsx';
import { BrokenNote } from '../ui/errors.tsx';

interface FoldedProps<T> {
  readonly title: string;
  /** Called when the section opens. */
  readonly load: () => Promise<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Folded<T>({ title, load, children }: FoldedProps<T>) {
  const [isOpen, setOpen] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const [loaded, setLoaded] = useState<{ readonly from: unknown; readonly value: T } | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    setFailed(false);
    load().then(
      (value) => setLoaded({ from: load, value }),
      () => setFailed(true),
    );
  }, [isOpen, load]);
  return (
    <details class="no-print" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {/* Hides content of a former plan. */}
      {loaded?.from === load && children(loaded.value)}
      {loaded?.from !== load && !isFailed && <div class="skeleton" aria-busy={isOpen} />}
      {isFailed && <BrokenNote what="This could not be loaded." />}
    </details>
  );
}

export function Texts({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul class="plain-list small">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

export function Steps({ steps }: PlanDetails) {
  return (
    <ol class="stack-small steps">
      {steps.map(({ text, command }, at) => (
        <li key={at}>
          {text}
          {command !== undefined && <Command command={command} />}
        </li>
      ))}
    </ol>
  );
}
