import { localTime } from '../ui/text.ts';

/** Where a print came from, and how old its data is. */
export function PrintFooter({ syncedAt }: { readonly syncedAt: string | null }) {
  return (
    <footer class="print-only print-footer small">
      {syncedAt !== null && <p>Update data of {localTime(syncedAt)}</p>}
      <p>{location.href}</p>
    </footer>
  );
}
