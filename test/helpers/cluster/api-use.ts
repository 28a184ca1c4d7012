import type { ApiUseFacts, ApiUser, ClusterFacts } from '@cairn/shared/cluster/facts';
import { apiRemovals } from '@cairn/shared/safety/checks/compatibility/api-removals';
import type { Finding } from '@cairn/shared/safety/condition';
import type { SafetyOptions } from '@cairn/shared/safety/hop';
import { aCluster, context } from './clusters.ts';

export const GARBAGE_COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';

export function user(username: string, requests: number, userAgent = 'client/1'): ApiUser {
  return { username, userAgent, requests, verbs: ['get', 'list'], lastHour: 13 };
}

export function using(
  name: string,
  removedInRelease: ApiUseFacts['removedInRelease'],
  requests: number,
  users: readonly ApiUser[] = [user('alice', requests)],
): ApiUseFacts {
  return { name, removedInRelease, requests, users };
}

export function verify(
  apiUse: readonly ApiUseFacts[] | null,
  path: readonly string[],
  more: { index?: number; options?: Partial<SafetyOptions>; facts?: Partial<ClusterFacts> } = {},
): readonly Finding[] {
  return apiRemovals(context(aCluster({ apiUse, ...more.facts }, path[0]), path, more));
}

/** Removed in 4.9, used by a person. */
export const INGRESSES = using('ingresses.v1beta1.extensions', '1.22', 5);
