import { HISTORY_LIMIT } from '@cairn/shared/prune/history/archive';
import type { RegistryTarget } from '@cairn/shared/prune/images/pruner/spec';
import { DEFAULT_EUS_TERMS } from '@cairn/shared/releases/lifecycle';
import type { EusTerms } from '@cairn/shared/releases/values';
import { STALLED_AFTER, type StalledAfter } from '@cairn/shared/update-status/answer';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DEFAULT_UPSTREAM } from '../../../functions/outbound/egress.ts';

/** Public release data routes; all others need authorization. */
export type PublicReleaseData = 'none' | 'graph' | 'all';

export interface AccessSettings {
  readonly publicReleaseData: PublicReleaseData;
  /** Tokens of this issuer replace signed AWS requests. */
  readonly jwt?: JwtSettings;
}

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Sign-in to the console at the issuer; without it users paste a token. */
  readonly signIn?: SignInSettings;
}

/** The console as a public client of the issuer: authorization code flow with PKCE. */
export interface SignInSettings {
  readonly clientId: string;
  /** Scopes in addition to those of the routes. */
  readonly scopes: readonly string[];
  /**
   * Both, or neither.
   * @default those that the issuer names in its discovery document
   */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
}

export interface AlarmSettings {
  readonly email: readonly string[];
}

export interface NewsSettings {
  readonly email: readonly string[];
  /** Minimum hours between two notifications of one topic of a cluster. */
  readonly windowHours: number;
  /** Clusters and pruners with notifications above which a single digest is sent. */
  readonly digestAbove: number;
}

export interface DomainSettings {
  readonly name: string;
  /** From AWS Certificate Manager, in the region of the stack. */
  readonly certificateArn: string;
  /**
   * Route 53 hosted zone for the DNS record.
   * @default none, the record is made elsewhere
   */
  readonly hostedZoneId?: string;
}

export interface DeploySettings {
  /** Distinguishes deployments in one account: the stack is `Cairn-<stage>`. Null for a single deployment. */
  readonly stage: string | null;
  readonly access: AccessSettings;
  readonly alarms: AlarmSettings;
  readonly news: NewsSettings;
  readonly updates: { readonly stalledAfterMinutes: StalledAfter };
  readonly domain: DomainSettings | null;
  readonly cloudFront: boolean;
  /** Region of the Origin Shield; null for the region of the stack, if it supports one. */
  readonly originShieldRegion: string | null;
  /** Policy ARN. */
  readonly permissionsBoundary: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** Replaces the stack's table, which stays in the account; see docs/restore.md. */
  readonly restoredTable: string | null;
  readonly syncIntervalMinutes: number;
  readonly watchIntervalMinutes: number;
  /** Delay until clusters are reassessed after a report or a channel change. */
  readonly fleetIntervalMinutes: number;
  /** Days that rows of a minor outlive its configuration. */
  readonly retirementGraceDays: number;
  /** Extended Update Support terms that the clusters have. */
  readonly eusTerms: EusTerms;
  /** Entries of a cluster's history. */
  readonly historyLimit: number;
  readonly logRetentionDays: RetentionDays;
  /** Cincinnati URL of the update service. */
  readonly graphUrl: string;
  /** Allowed registries of release images. */
  readonly payloadHosts: readonly string[];
  /** Registry storage that pruners can delete from; the first is the default. */
  readonly registryBuckets: readonly RegistryBucket[];
}

/** `roleArn`: role that run-pruner assumes for a bucket of another account. */
export interface RegistryBucket extends RegistryTarget {
  readonly roleArn?: string;
}

export const DEFAULT_SETTINGS: DeploySettings = {
  stage: null,
  access: { publicReleaseData: 'none' },
  alarms: { email: [] },
  news: { email: [], windowHours: 24, digestAbove: 10 },
  updates: { stalledAfterMinutes: STALLED_AFTER },
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
  eusTerms: DEFAULT_EUS_TERMS,
  historyLimit: HISTORY_LIMIT.default,
  logRetentionDays: RetentionDays.ONE_MONTH,
  graphUrl: DEFAULT_UPSTREAM,
  payloadHosts: ['quay.io'],
  registryBuckets: [],
};
