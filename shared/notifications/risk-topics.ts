import type { Applies } from '../path/question.ts';
import type { LIFTED_REASONS } from '../risk/values.ts';
import type { NotificationLog, TopicState } from './log.ts';

export interface HopEnds {
  readonly from: string;
  readonly to: string;
}

export type RiskNotification =
  | {
      readonly type: 'RiskAppliesToCluster';
      readonly version: string;
      readonly risk: string;
      readonly url: string;
      /** Updates with the risk, those of the planned path first. */
      readonly hops: readonly HopEnds[];
      readonly decidedBy: readonly string[];
    }
  | {
      readonly type: 'RiskLifted';
      readonly version: string;
      readonly risk: string;
      readonly url: string;
      readonly why: (typeof LIFTED_REASONS)[number];
      readonly decidedBy: readonly string[];
    };

/** A risk that a notification named. */
export interface ToldRisk {
  readonly url: string;
  /** Updates of the planned path with it; a new path may avoid them. */
  readonly hops: readonly HopEnds[];
}

/** A risk of the channels of a cluster. */
export interface KnownRisk {
  readonly applies: Applies;
  readonly isAccepted: boolean;
  readonly url: string;
  readonly decidedBy: readonly string[];
  /** Updates with it from the present version or on the planned path. */
  readonly hops: readonly HopEnds[];
  /** The channels with it were evaluated before, so a new risk in them is news. */
  readonly isInKnownChannels: boolean;
  /** It applied already when its channels were evaluated last. */
  readonly didApply: boolean;
}

export interface FormerRisks {
  readonly version: string;
  readonly told: Readonly<Record<string, ToldRisk>>;
  /** Whether the channels of that time still have a risk of this name. */
  readonly isPublished: (name: string) => boolean;
}

const TOPIC = 'risk ';
const APPLIES = 'yes';
const MOST_HOPS = 20;

/** A new cluster is only recorded, like the risks of a version or channel that a cluster has moved to. */
export function riskStandings(
  told: NotificationLog,
  version: string,
  risks: ReadonlyMap<string, KnownRisk>,
  former: FormerRisks | null,
): TopicState<RiskNotification>[] {
  const names = new Set([...risks.keys(), ...toldRisks(told)]);
  return [...names].flatMap((name) => {
    const standing = standingOf(name, {
      version,
      risk: risks.get(name),
      isTold: told[`${TOPIC}${name}`]?.value === APPLIES,
      former,
    });
    return standing === null ? [] : [{ topic: `${TOPIC}${name}`, ...standing }];
  });
}

interface Question {
  readonly version: string;
  readonly risk: KnownRisk | undefined;
  readonly isTold: boolean;
  readonly former: FormerRisks | null;
}

type Standing = Omit<TopicState<RiskNotification>, 'topic'>;

/** Null if there is nothing to record. */
function standingOf(name: string, { version, risk, isTold, former }: Question): Standing | null {
  const isSameVersion = former?.version === version;
  const lifted = (why: (typeof LIFTED_REASONS)[number], decidedBy: readonly string[]): Standing => {
    const url = risk?.url ?? former?.told[name]?.url ?? '';
    return { value: why, news: { type: 'RiskLifted', version, risk: name, url, why, decidedBy } };
  };
  if (risk === undefined) {
    if (!isTold) return null;
    return former?.isPublished(name) === false ? lifted('withdrawn', []) : { value: 'elsewhere', news: null };
  }
  const { applies, isAccepted, url, decidedBy, hops } = risk;
  if (applies === 'no') return isTold ? lifted('does-not-apply', decidedBy) : null;
  if (applies === 'unknown' || isAccepted) return isTold ? { value: APPLIES, news: null } : null;
  if (hops.length === 0) {
    if (!isTold) return null;
    return isSameVersion ? lifted('withdrawn', []) : { value: 'elsewhere', news: null };
  }
  const isSilent = former === null || !risk.isInKnownChannels || (risk.didApply && !isSameVersion);
  const news = {
    type: 'RiskAppliesToCluster',
    version,
    risk: name,
    url,
    hops: hops.slice(0, MOST_HOPS),
    decidedBy,
  } as const;
  return { value: APPLIES, news: isTold || isSilent ? null : news };
}

/** Names of the risks in the log that apply. */
export function toldRisks(log: NotificationLog): string[] {
  return Object.entries(log).flatMap(([topic, { value }]) =>
    topic.startsWith(TOPIC) && value === APPLIES ? [topic.slice(TOPIC.length)] : [],
  );
}

/** Without the risks that ended before the window: the log of a cluster must not grow with every risk. */
export function withoutEndedRisks(
  log: NotificationLog,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): NotificationLog {
  return Object.fromEntries(
    Object.entries(log).filter(
      ([topic, { value, at }]) =>
        !topic.startsWith(TOPIC) || value === APPLIES || (at !== null && Date.parse(at) + windowMs > now),
    ),
  );
}
