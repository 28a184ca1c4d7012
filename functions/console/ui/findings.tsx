import { type Condition, docsOf } from '@cairn/shared/safety/condition';
import { Command, ExternalLink, Pill, type Tone } from './controls.tsx';

const EFFECTS: Readonly<Record<Condition['effect'], readonly [weight: number, tone: Tone, word: string]>> = {
  block: [0, 'block', 'Blocks'],
  inform: [1, 'block', 'Will block'],
  warn: [2, 'cond', 'Warning'],
  info: [3, 'info', 'Note'],
  ok: [4, 'ok', 'OK'],
};

/** Most severe first. */
export function Findings({ findings }: { readonly findings: readonly Condition[] }) {
  if (findings.length === 0) return null;
  const ordered = findings.toSorted((a, b) => EFFECTS[a.effect][0] - EFFECTS[b.effect][0]);
  return (
    <ul class="stack-small">
      {ordered.map((finding) => (
        <FindingItem key={`${finding.type} ${finding.reason} ${finding.message}`} finding={finding} />
      ))}
    </ul>
  );
}

function FindingItem({ finding }: { readonly finding: Condition }) {
  const { effect, accepted, type, reason, message, remediation = [], url } = finding;
  const [, tone, word] = EFFECTS[effect];
  return (
    <li class={`note ${accepted ? '' : tone}`}>
      <p class="pills">
        <Pill tone={accepted ? 'plain' : tone}>{accepted ? 'Accepted' : word}</Pill>
        <ExternalLink href={url ?? docsOf(type)}>{type}</ExternalLink>
        <span class="small muted">{reason}</span>
      </p>
      {message.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      {remediation.map((advice) =>
        advice.startsWith('oc ') ? <Command key={advice} command={advice} /> : <p key={advice}>{advice}</p>,
      )}
    </li>
  );
}
