import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import type { ApiError } from '../data/responses.ts';
import { Button } from './controls.tsx';
import { sentence } from './text.ts';

export function ErrorNote({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  return (
    <div class="note block" role="alert">
      <p>
        <strong>{error.title}</strong>
      </p>
      <p>{sentence(error.message)}</p>
      {error.needsToken && <p>Use “Sign in” at the top.</p>}
      {onRetry && error.isPassing && <Retry seconds={error.retryAfter} onRetry={onRetry} />}
      {error.requestId && <p class="small muted">Request {error.requestId}</p>}
    </div>
  );
}

/** Counts down `seconds` and then retries. */
export function Retry({
  seconds,
  onRetry,
}: {
  readonly seconds: number | null;
  readonly onRetry: () => void;
}) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left === null) return undefined;
    if (left <= 0) {
      onRetry();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <p class="row">
      <Button onClick={onRetry}>Try again</Button>
      {left !== null && <span class="muted">by itself in {left} s</span>}
    </p>
  );
}

/** The page itself is incomplete or broken: only a reload helps. */
export function BrokenNote({ what }: { readonly what: string }) {
  return (
    <div class="note block" role="alert">
      {what} <Button onClick={() => location.reload()}>Load it anew</Button>
    </div>
  );
}

/** Error boundary with a message instead of an empty page. */
export function Guarded({ children }: { readonly children: ComponentChildren }) {
  const [error] = useErrorBoundary((broken) => reportError(broken));
  if (!error) return <>{children}</>;
  return (
    <div class="page">
      <BrokenNote what="This part of the page broke." />
    </div>
  );
}
