import type { FleetRisk } from '../data/responses.ts';
import { Glyph } from '../updates/marks.tsx';
import './sheet.ts';
import { type Exposure, MARKS, wordOf } from './exposure.ts';

interface MarkProps {
  readonly exposure: Exposure;
  readonly size?: number;
}

const SHOWN = ['yes', 'accepted', 'unknown', 'no'] as const satisfies readonly Exposure[];

/** Its word stands beside it. */
export function ExposureMark({ exposure, size }: MarkProps) {
  return <Glyph name={MARKS[exposure]} {...(size !== undefined && { size })} />;
}

interface BarProps {
  readonly clusters: FleetRisk['clusters'];
  /** Of the whole bar. */
  readonly of: number;
}

/** The counts stand beside it, so the bar itself is silent. */
export function ExposureBar({ clusters, of }: BarProps) {
  const width = (count: number): string => `${of === 0 ? 0 : (100 * count) / of}%`;
  const shown = SHOWN.filter((exposure) => exposure !== 'no' && clusters[exposure] > 0);
  return (
    <span class="risk-bar" aria-hidden="true">
      {shown.map((exposure) => (
        <span key={exposure} class={`risk-part ${exposure}`} style={{ width: width(clusters[exposure]) }} />
      ))}
    </span>
  );
}

/** `6 apply`, `0 accepted`, `1 unknown`, `27 do not apply` */
export function ExposureCounts({ clusters }: Pick<BarProps, 'clusters'>) {
  return (
    <ul class="risk-counts">
      {SHOWN.map((exposure) => (
        <li key={exposure}>
          <ExposureMark exposure={exposure} size={14} /> <strong>{clusters[exposure]}</strong>{' '}
          {wordOf(clusters[exposure], exposure)}
        </li>
      ))}
    </ul>
  );
}
