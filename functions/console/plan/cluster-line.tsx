import { VERDICT_WORDS } from '@cairn/shared/plan/words';
import { followInPage, linkTo } from '../state/navigation.ts';
import { Pill, type Tone } from '../ui/pill.tsx';
import { sentence } from '../ui/text.ts';
import type { ClusterReport } from './plan-model.ts';

const TONES: Readonly<Record<ClusterReport['verdict'], Tone>> = {
  ready: 'ok',
  'ready-with-warnings': 'cond',
  'action-required': 'cond',
  blocked: 'block',
  unknown: 'plain',
};

export function ClusterLine({ report, from }: { readonly report: ClusterReport; readonly from: string }) {
  const { id, verdict, nextStep } = report;
  return (
    <div class="stack-small cluster-line">
      <p class="row">
        <span>
          Cluster <strong>{id}</strong>
        </span>
        <Pill tone={TONES[verdict]}>{VERDICT_WORDS[verdict]}</Pill>
        <a class="no-print" href={linkTo('plan', { cluster: '', from })} onClick={followInPage}>
          Plan without it
        </a>
      </p>
      <p>
        <strong>Next:</strong> {sentence(nextStep)}
      </p>
    </div>
  );
}
