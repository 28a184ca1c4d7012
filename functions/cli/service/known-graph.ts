import type { ReleaseGraph } from '@cairn/shared/graph/graph';
import type { Arch } from '@cairn/shared/version/arch';

/** The graph of a channel on one architecture, and how old it is. */
export interface KnownGraph {
  readonly channel: string;
  readonly arch: Arch;
  readonly graph: ReleaseGraph;
  /** When an update service last gave it. */
  readonly syncedAt: string;
  /** When it last changed, where that is known. */
  readonly publishedAt: string;
  /** Versions that the update service is lastingly without. */
  readonly withdrawn: readonly string[];
}
