import { Pill } from '../ui/pill.tsx';
import type { Mark } from './pruner-words.ts';

export function Marks({ of }: { readonly of: readonly Mark[] }) {
  return (
    <span class="marks">
      {of.map(({ tone, sign, words }) => (
        <Pill key={words} tone={tone}>
          {sign && <span aria-hidden="true">{sign} </span>}
          {words}
        </Pill>
      ))}
    </span>
  );
}
