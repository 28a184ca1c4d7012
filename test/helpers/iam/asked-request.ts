import type { IncomingHttpHeaders } from 'node:http';
import { ACCOUNT, REGION } from '../gateway/deployed-api.ts';
import type { Demand } from './role-policy.ts';

/** An SDK request on the wire. */
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

export interface GuardedService {
  /** Required permissions; null for an unknown request. */
  readonly demandsOf: (request: AskedRequest) => readonly Demand[] | null;
  /** Additional permission to learn that something is missing. */
  readonly demandOfAbsence?: (request: AskedRequest) => Demand | null;
  readonly refuse: (message: string) => Refusal;
}

/** ARN in the account and region of the stack: `arnIn('sqs', 'queue')`. */
export function arnIn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

export function operationOf({ headers }: AskedRequest, service: string): string | null {
  const [prefix, operation] = String(headers['x-amz-target'] ?? '').split('.');
  return prefix === service && operation !== undefined ? operation : null;
}
