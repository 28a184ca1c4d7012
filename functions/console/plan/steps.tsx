import { Command } from '../ui/copy.tsx';
import type { Workings } from './plan-model.ts';

/** All there is to do, in order. */
export function Steps({ steps }: Pick<Workings, 'steps'>) {
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
