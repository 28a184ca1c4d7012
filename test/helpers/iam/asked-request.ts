import type { IncomingHttpHeaders } from 'node:http';
import { ACCOUNT, REGION } from '../gateway/deployed-api.ts';
import type { Demand } from './role-policy.ts';

/** A request of the SDK as it comes over the wire. */
export interface AskedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** How a service goes about IAM. */
export interface GuardedService {
  /** All that a request needs; null for one that is not understood. */
  readonly demandsOf: (request: AskedRequest) => readonly Demand[] | null;
  /** What is needed besides to be told that something is not there. */
  readonly demandOfAbsence?: (request: AskedRequest) => Demand | null;
  readonly refuse: (message: string) => Refusal;
}

/** `arnIn('sqs', 'queue')` is of the account and the region of the stack. */
export function arnIn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

export function operationOf({ headers }: AskedRequest, service: string): string | null {
  const [prefix, operation] = String(headers['x-amz-target'] ?? '').split('.');
  return prefix === service && operation !== undefined ? operation : null;
}
