import { effectInWords } from '@cairn/shared/plan/words';
import { type Condition, docsOf } from '@cairn/shared/safety/condition';
import { titleOf } from '@cairn/shared/safety/tables/titles';
import { Command, ExternalLink, Pill, type Tone } from './controls.tsx';

const EFFECTS: Readonly<Record<Condition['effect'], readonly [weight: number, tone: Tone]>> = {
  block: [0, 'block'],
  inform: [1, 'block'],
  warn: [2, 'cond'],
  info: [3, 'info'],
  ok: [4, 'ok'],
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
  const [, tone] = EFFECTS[effect];
  return (
    <li class={`note ${accepted ? '' : tone}`}>
      <p class="pills">
        <Pill tone={accepted ? 'plain' : tone}>{effectInWords(finding)}</Pill>
        <span title={`${type} (${reason})`}>
          <ExternalLink href={url ?? docsOf(type)}>{titleOf(finding)}</ExternalLink>
        </span>
      </p>
      {message.split('\n').map((line, index) => (
        <p key={`${index} ${line}`}>{line}</p>
      ))}
      {remediation.map((advice) =>
        advice.startsWith('oc ') ? <Command key={advice} command={advice} /> : <p key={advice}>{advice}</p>,
      )}
    </li>
  );
}
