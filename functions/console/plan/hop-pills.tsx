import { minutesInWords } from '@cairn/shared/plan/words';
import { Pill, type Tone } from '../ui/pill.tsx';
import type { HopModel } from './plan-model.ts';

const VERDICTS: Readonly<
  Record<NonNullable<HopModel['report']>['verdict'], readonly [tone: Tone, text: string]>
> = {
  allowed: ['ok', 'Open'],
  'allowed-with-warnings': ['cond', 'Open, with warnings'],
  blocked: ['block', 'Blocked'],
  'will-block': ['block', 'Will be blocked'],
  unknown: ['plain', 'Not known'],
};

/** What a hop is at a glance. */
export function HopPills({ hop }: { readonly hop: HopModel }) {
  const { risks, skew, minutes, kubeFrom, kubeTo, report } = hop;
  return (
    <p class="pills">
      {report && <Pill tone={VERDICTS[report.verdict][0]}>{VERDICTS[report.verdict][1]}</Pill>}
      {risks.length === 0 ? (
        <Pill tone="ok">Recommended</Pill>
      ) : (
        <Pill tone="cond">
          {risks.length === 1 ? '1 conditional risk' : `${risks.length} conditional risks`}
        </Pill>
      )}
      {skew && (
        <Pill tone={skewTone(skew)}>
          {skew.lag === 0 ? 'kubelets up to date' : `kubelets ${skew.lag} behind, ${skew.limit} allowed`}
        </Pill>
      )}
      {kubeFrom !== kubeTo && (
        <Pill tone="plain">
          Kubernetes {kubeFrom} → {kubeTo}
        </Pill>
      )}
      {minutes && (
        <Pill tone="plain">
          ~{minutesInWords(minutes.expected)}, at most {minutesInWords(minutes.max)}
        </Pill>
      )}
    </p>
  );
}

function skewTone({ lag, limit, isWithinLimit }: NonNullable<HopModel['skew']>): Tone {
  if (!isWithinLimit) return 'block';
  return lag === limit && lag > 0 ? 'info' : 'ok';
}
