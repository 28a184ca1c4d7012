import { Pill, type Tone } from '../ui/pill.tsx';
import type { Finding } from './outlook.ts';

const EFFECTS: Readonly<Partial<Record<Finding['effect'], readonly [Tone, string]>>> = {
  block: ['block', 'In the way'],
  inform: ['cond', 'In the way later'],
  warn: ['cond', 'To look at'],
};
const OC = /^oc /;

/** What stands against an update, and what to do about it. */
export function Findings({ of }: { readonly of: readonly Finding[] }) {
  return (
    <ul class="stack-small findings">
      {of.map(({ type, reason, effect, message, remediation = [] }) => {
        const [tone, words] = EFFECTS[effect] ?? ['plain', effect];
        return (
          <li key={`${type} ${reason}`}>
            <Pill tone={tone}>{words}</Pill> <span class="lines">{message}</span>
            {remediation.map((step) => (
              <p key={step} class="small">
                {OC.test(step) ? <code>{step}</code> : step}
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
