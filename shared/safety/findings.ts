import type { Finding } from './skew-condition.ts';

/** A finding that we computed. */
export function finding(
  type: string,
  status: Finding['status'],
  reason: string,
  message: string,
  effect: Finding['effect'],
): Finding {
  return { type, status, reason, message, effect, origin: 'computed' };
}

/** Nothing stands against the hop. */
export function asExpected(type: string, message: string): Finding {
  return finding(type, 'True', 'AsExpected', message, 'ok');
}

/** A check that cannot tell, because the cluster says that it runs something else than a version. */
export function invalidCurrentVersion(type: string, version: string, unknown: string): Finding {
  const message = `The cluster runs "${version}", which is not a version such as 4.14.3, so ${unknown}`;
  return finding(type, 'Unknown', 'InvalidCurrentVersion', message, 'warn');
}
