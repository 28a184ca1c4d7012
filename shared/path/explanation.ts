import type { Arch } from '../version/arch.ts';
import type { Minor } from '../version/minor.ts';
import type { NearbyPath } from './nearby.ts';
import type { Nearest } from './reach.ts';
import type { UpgradePath } from './solver/solve.ts';

/** A conditional update on a path, which its risks keep from being taken. */
export interface BlockedHop {
  readonly from: string;
  readonly to: string;
  readonly risks: readonly string[];
}

/** A path that would be there if more risks were accepted. */
export interface RiskyPath {
  /** The one with the fewest risky hops. */
  readonly path: UpgradePath;
  /** Names of all its risks, in text order. */
  readonly risks: readonly string[];
  /** Those of them that apply to every cluster. */
  readonly always: readonly string[];
  /** Its first hop that the question does not permit. */
  readonly firstBlocked: BlockedHop;
}

/** Versions of one minor that reach the target. */
export interface Gateways {
  readonly minor: Minor;
  readonly oldest: string;
  readonly newest: string;
  readonly count: number;
}

/** Why there is no path, as the first of these that applies. */
export type Reason =
  | { readonly code: 'invalid_order'; readonly details: Record<string, never> }
  | {
      readonly code: 'channel_unknown' | 'channel_empty';
      readonly details: {
        readonly channels: readonly string[];
        /** When its graph was last published; null when it never was. */
        readonly publishedAt: string | null;
        /** Other architectures on which it holds releases. */
        readonly arches: readonly Arch[];
        /** Channels that hold releases. */
        readonly nearest: readonly string[];
      };
    }
  | {
      readonly code: 'arch_unavailable';
      readonly details: { readonly version: string; readonly arches: readonly Arch[] };
    }
  | {
      readonly code: 'source_not_in_channel';
      readonly details: {
        /** Those that hold it; none when it is not known at all. */
        readonly channels: readonly string[];
        /** The newest release of its minor in the channel asked for. */
        readonly newestSibling: string | null;
        /** A channel that holds it, and whose newest release is in the channel asked for. */
        readonly through: { readonly channel: string; readonly newest: string } | null;
        /** Known versions next to it, when it is not known itself. */
        readonly nearestVersions: readonly string[];
      };
    }
  | {
      readonly code: 'target_not_in_channel';
      readonly details: {
        readonly channels: readonly string[];
        readonly nearestVersions: readonly string[];
        /** Of the minor asked for there are only pre-releases, which the question does not allow. */
        readonly onlyPrereleases: boolean;
      };
    }
  | { readonly code: 'no_recommended_path'; readonly details: RiskyPath }
  | {
      readonly code: 'risks_not_accepted';
      readonly details: RiskyPath & { readonly missing: readonly string[] };
    }
  | {
      readonly code: 'source_has_no_updates';
      readonly details: { readonly isNewest: boolean; readonly withdrawn: boolean };
    }
  | {
      readonly code: 'disconnected';
      readonly details: {
        /** The newest that can be reached of each minor. */
        readonly farthest: readonly string[];
        readonly gateways: readonly Gateways[];
        readonly targetWithdrawn: boolean;
      };
    };

export type Explanation = Reason & {
  /** One sentence. */
  readonly message: string;
  /** What to do, when something can be done. */
  readonly suggestion: string | null;
  /** The versions next to the target that can be reached, under the same conditions. */
  readonly nearestTarget: Nearest;
  /** Paths that are there, the nearest to what was asked for first. */
  readonly alternatives: readonly NearbyPath[];
};
