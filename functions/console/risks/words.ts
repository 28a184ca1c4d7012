import { risksByExposure } from '@cairn/shared/plan/words';
import { evidenceInWords } from '@cairn/shared/risk/rule-in-words';
import { countInWords, joinInWords } from '@cairn/shared/text/words';
import type { PlannedRisk, RiskCluster } from '../data/responses.ts';
import { localTime } from '../ui/text.ts';
import { exposureOf } from './exposure.ts';

type Optional = 'assumes' | 'possible' | 'reason' | 'unsupported' | 'missing' | 'askedTooLongAgo' | 'notes';

/** Of a hop, and of a cluster of the fleet. */
export type Answer = Pick<PlannedRisk, 'applies' | 'decidedBy' | 'source' | 'asOf'> & {
  readonly [Name in Optional]?: PlannedRisk[Name] | undefined;
} & Pick<RiskCluster, 'accepted'>;

/** `yes`, `not known, accepted`: the answer as a word, for a column. */
export function appliesInWords(answer: Pick<Answer, 'applies' | 'accepted'>): string {
  const word = { yes: 'Yes', no: 'No', unknown: 'Not known' }[answer.applies];
  return exposureOf(answer) === 'accepted' ? `${word}, accepted` : word;
}

/** `Applies, accepted by M. Weber until 31 Jan 2027`; `Does not apply, the platform is AWS` */
export function answerInWords(answer: Answer): string {
  if (answer.decidedBy[0] === 'Always' && !answer.accepted) return 'Applies to every cluster';
  const word = { yes: 'Applies', no: 'Does not apply', unknown: 'Unknown' }[answer.applies];
  const isAccepted = exposureOf(answer) === 'accepted';
  const why = reasonInWords(answer);
  const parts = [word, isAccepted ? acceptedInWords(answer.accepted!) : why];
  return parts.filter((part) => part !== '').join(', ');
}

export function acceptedInWords({ owner, until, source }: NonNullable<Answer['accepted']>): string {
  if (source === 'cluster') return 'accepted in the ClusterVersion';
  if (owner === null) return 'accepted in the settings of the cluster';
  return `accepted by ${owner}${until === null ? '' : ` until ${dayInWords(until)}`}`;
}

/** `31 Jan 2027`: the last day on which it counts. */
export function dayInWords(until: string): string {
  const last = new Date(Date.parse(until) - 1);
  return last.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** What decided, or what would decide; empty if neither is known. */
export function reasonInWords(answer: Answer): string {
  const { applies, decidedBy, source } = answer;
  if (applies === 'unknown') return unknownInWords(answer);
  if (source === 'cluster') return `as the cluster reports: ${decidedBy.join(', ')}`;
  return decidedBy.map((evidence) => evidenceInWords(evidence) ?? evidence).join(', ');
}

function unknownInWords({ reason, missing = [], unsupported, askedTooLongAgo }: Answer): string {
  if (reason === 'EvaluationFails') return 'the cluster cannot evaluate the query';
  if (reason === 'UnsupportedQuery') {
    return `the query is not supported${unsupported === undefined ? '' : `: ${unsupported}`}`;
  }
  const documents = new Set(missing.flatMap((each) => each.documents.map((name) => name.split('.')[0]!)));
  if (documents.size > 0) return `send ${joinInWords([...documents])} to decide it`;
  if (askedTooLongAgo) return 'the cluster’s own answer is more than a day old';
  if (missing.length === 0) return '';
  return `only metrics of the cluster decide it: ${joinInWords(missing.map(({ metric }) => metric))}`;
}

const SOURCES: Readonly<Record<Answer['source'], string>> = {
  facts: 'From documents',
  cluster: 'From the ClusterVersion',
  live: 'From metrics of the cluster',
};

/** `From documents of 16 Nov 2026, 11:05. Assumes that the configuration does not change.` */
export function basisInWords({ source, asOf, assumes, possible = [], notes = [] }: Answer): string {
  return [
    asOf === null ? '' : `${SOURCES[source]} of ${localTime(asOf)}.`,
    assumes ? 'Assumes that the configuration does not change.' : '',
    possible.length > 0 && !possible.includes('yes')
      ? 'It cannot apply, but the cluster possibly cannot evaluate it.'
      : '',
    notes.includes('QueryLooksWrong') ? 'The query looks wrong: it compares with several values by =.' : '',
    notes.includes('DisagreesWithCluster') ? 'The documents give another answer than the cluster.' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** `2 of 5 risks unknown`, `None of 5 risks applies` */
export function hopInWords(risks: readonly PlannedRisk[]): string {
  const all = countInWords(risks.length, 'risk');
  const parts = risksByExposure(risks).map(([words, some]) => `${some.length} of ${all} ${words}`);
  if (parts.length > 0) return parts.join(', ');
  return risks.length === 1 ? '1 risk, it does not apply' : `None of ${all} applies`;
}
