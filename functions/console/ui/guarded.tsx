import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { BrokenNote } from './errors.tsx';

/** Says that something broke in it, where else the page would be empty. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error] = useErrorBoundary((broken) => reportError(broken));
  if (!error) return <>{children}</>;
  return (
    <div class="page">
      <BrokenNote what="This part of the page broke." />
    </div>
  );
}
