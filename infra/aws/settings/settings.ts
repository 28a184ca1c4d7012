import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DEFAULT_UPSTREAM } from '../../../functions/outbound/egress.ts';

/** Which routes with release data are open to everyone; all others stay closed. */
export type PublicReleaseData = 'none' | 'graph' | 'all';

export interface AccessSettings {
  readonly publicReleaseData: PublicReleaseData;
  /** Tokens of this issuer open the closed routes, instead of signed AWS requests. */
  readonly jwt?: JwtSettings;
}

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** With it people sign in to the console at the issuer; without it they paste a token. */
  readonly signIn?: SignInSettings;
}

/** The console as a client of the issuer: a public one, with the code flow and PKCE. */
export interface SignInSettings {
  readonly clientId: string;
  /** What is asked for beside the scopes of the routes. */
  readonly scopes: readonly string[];
  /**
   * Both, or neither.
   * @default those that the issuer names in its discovery document
   */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
}

export interface AlarmSettings {
  /** Who gets a mail when an alarm goes off and when it ends. */
  readonly email: readonly string[];
}

/** How people are told what changed for clusters and pruners. */
export interface NewsSettings {
  /** Who gets every message as a mail. */
  readonly email: readonly string[];
  /** For how long nobody is told twice of the same topic of a cluster. */
  readonly windowHours: number;
  /** When more clusters and pruners than this have news at once, they are told in one message. */
  readonly digestAbove: number;
}

/** A name of the team's own for the API. */
export interface DomainSettings {
  readonly name: string;
  /** Of AWS Certificate Manager, in the region of the stack. */
  readonly certificateArn: string;
  /**
   * The hosted zone of Route 53 that gets the record.
   * @default none, the record is made elsewhere
   */
  readonly hostedZoneId?: string;
}

/** What a deployment may choose. */
export interface DeploySettings {
  /** Tells deployments in one account apart: the stack is `Cairn-<stage>`. Null for the only one. */
  readonly stage: string | null;
  readonly access: AccessSettings;
  readonly alarms: AlarmSettings;
  readonly news: NewsSettings;
  readonly domain: DomainSettings | null;
  /** Puts CloudFront before the routes that are open to everyone. */
  readonly cloudFront: boolean;
  /** Where the cache of CloudFront is that all its others ask. Null for the region of the stack, if there is one. */
  readonly originShieldRegion: string | null;
  /** ARN of the policy that bounds every role of the stack. */
  readonly permissionsBoundary: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** Takes the place of the stack's own table, which stays in the account; see docs/restore.md. */
  readonly restoredTable: string | null;
  readonly syncIntervalMinutes: number;
  readonly watchIntervalMinutes: number;
  /** How soon clusters are looked at again after a report or a change of a channel. */
  readonly fleetIntervalMinutes: number;
  /** How long the rows of a minor stay after it left the configuration. */
  readonly retirementGraceDays: number;
  /** Most entries that the history of a cluster keeps. */
  readonly historyLimit: number;
  readonly logRetentionDays: RetentionDays;
  /** The update service to follow, in Cincinnati form. */
  readonly graphUrl: string;
  /** Registries that payloads may come from. */
  readonly payloadHosts: readonly string[];
  /** Where pruners may delete what registries keep; the first is their default. */
  readonly registryBuckets: readonly RegistryBucket[];
}

/** A registry's folder; `roleArn` is what run-pruner takes on to work in a bucket of another account. */
export interface RegistryBucket extends RegistryTarget {
  readonly roleArn?: string;
}

export const DEFAULT_SETTINGS: DeploySettings = {
  stage: null,
  access: { publicReleaseData: 'none' },
  alarms: { email: [] },
  news: { email: [], windowHours: 24, digestAbove: 10 },
  domain: null,
  cloudFront: false,
  originShieldRegion: null,
  permissionsBoundary: null,
  tags: {},
  restoredTable: null,
  syncIntervalMinutes: 10,
  watchIntervalMinutes: 15,
  fleetIntervalMinutes: 5,
  retirementGraceDays: 14,
  historyLimit: HISTORY_LIMIT.default,
  logRetentionDays: RetentionDays.ONE_MONTH,
  graphUrl: DEFAULT_UPSTREAM,
  payloadHosts: ['quay.io'],
  registryBuckets: [],
};
