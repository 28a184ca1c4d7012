import { ClusterReader } from '@cairn/shared/cluster/kinds';
import { InUseReducer } from '@cairn/shared/prune/images/in-use/reduced';
import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';

/** What a pruner goes by when it is told what is in use. */
export interface InUsePolicy {
  /** Pods that ended longer ago use nothing. */
  readonly keepYoungerThanMs: number;
  /** The registry is the cluster's own to manage; else Images are read too. */
  readonly isManaged: boolean;
}

/** What is read of a cluster for a report. */
export interface Wanted {
  /** When reading begins, in milliseconds: of what comes into use meanwhile nothing is claimed. */
  readonly collectedAt: number;
  /** Whether to keep the names of people who use APIs that go away. */
  readonly usernames: boolean;
  /** One for each pruner that is told. */
  readonly uses: readonly InUsePolicy[];
}

export function factsReader({ collectedAt, usernames }: Wanted): ClusterReader {
  return new ClusterReader({ collectedAt: new Date(collectedAt).toISOString(), usernames, isRemovedApi });
}

export function useReducer(
  { keepYoungerThanMs, isManaged }: InUsePolicy,
  { collectedAt }: Wanted,
  unseen: readonly string[] = [],
): InUseReducer {
  const youngerThan = collectedAt - keepYoungerThanMs;
  return new InUseReducer({ youngerThan, collectedAt, asked: [], unseen, images: !isManaged });
}
