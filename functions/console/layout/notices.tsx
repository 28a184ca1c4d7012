import { useStatus } from '../data/status.ts';
import type { UrlMistake } from '../state/url-state.ts';
import { Retry } from '../ui/error-note.tsx';
import { localTime } from '../ui/text.ts';

/** What is wrong with the address, and that kept data is shown because there is none newer. */
export function Notices({ mistakes }: { readonly mistakes: readonly UrlMistake[] }) {
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
      {mistakes.map(({ key, value, accepted }) => (
        <div key={key} class="note cond" role="status">
          The address says {key}=<code>{value.slice(0, 80)}</code>, which was left out; {accepted} would be
          accepted.
        </div>
      ))}
    </div>
  );
}
