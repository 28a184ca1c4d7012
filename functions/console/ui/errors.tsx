/** Something of the page itself is missing or broke: only loading it anew helps. */
export function BrokenNote({ what }: { readonly what: string }) {
  return (
    <div class="note block" role="alert">
      {what}{' '}
      <button type="button" class="button" onClick={() => location.reload()}>
        Load it anew
      </button>
    </div>
  );
}
