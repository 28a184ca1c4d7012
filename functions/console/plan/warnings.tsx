import { sentence } from '../ui/words.ts';

/** What to know beside an answer. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  return (
    <>
      {warnings.map((text) => (
        <p key={text} class="note cond small">
          {sentence(text)}
        </p>
      ))}
    </>
  );
}
