import { minutesInWords } from '@cairn/shared/plan/words';
import { labelledChannel } from '@cairn/shared/releases/channel';
import { countInWords } from '@cairn/shared/text/words';
import type { ComponentChildren } from 'preact';
import { sentence } from '../ui/text.ts';
import { Arrow } from './hop.tsx';
import { isBrokenAtTarget, verdictInWords, type PlanModel } from './plan-model.ts';

export function PlanSummary({ model }: { readonly model: PlanModel }) {
  const { from, to, hops, total, reboots, channelPlan, report } = model;
  const isDoubtful = hops.some(({ risks }) => risks.length > 0) || isBrokenAtTarget(model);
  return (
    <>
      <h2 id="verdict" tabIndex={-1} class={`verdict ${isDoubtful ? 'cond' : 'ok'}`}>
        <span aria-hidden="true">{isDoubtful ? '▲' : '●'} </span>
        {verdictInWords(model)}
      </h2>
      <p>
        {hops.length === 0 ? (
          <>
            The cluster is at <strong class="mono">{to}</strong>.
            {report === null && ' There is nothing to do.'}
          </>
        ) : (
          <>
            <span class="mono">
              {from}
              <Arrow />
              <strong>{to}</strong>
            </span>
            . {followInWords(channelPlan)}
          </>
        )}
      </p>
      {hops.length > 0 && (
        <dl class="figures">
          <Figure name="Hops">{hops.length}</Figure>
          <Figure name="To mirror">{countInWords(hops.length, 'payload')}</Figure>
          <Figure
            name="Control plane"
            note={
              total && (
                <>
                  <span class="nowrap">{minutesInWords(total.min)}</span> to{' '}
                  <span class="nowrap">{minutesInWords(total.max)}</span>
                </>
              )
            }
          >
            {total ? minutesInWords(total.expected) : 'not known'}
          </Figure>
          <Figure name="Worker reboots" note={reboots?.note}>
            {reboots ? reboots.planned : 'no workers'}
          </Figure>
        </dl>
      )}
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{children}</strong>
        {note && <span class="small muted">{note}</span>}
      </dd>
    </div>
  );
}

/** `Follow stable-4.15 up to 4.15.3, then eus-4.16.` */
function followInWords(plan: PlanModel['channelPlan']): string {
  const parts = plan.map(({ channel, untilVersion }, at) =>
    at === plan.length - 1 ? labelledChannel(channel) : `${labelledChannel(channel)} up to ${untilVersion}`,
  );
  return parts.length === 0 ? '' : `Follow ${parts.join(', then ')}.`;
}

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
