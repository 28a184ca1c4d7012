import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { BucketFolder } from './bucket-folder.ts';
import type { BucketStore } from './bucket-store.ts';
import { S3Error } from './errors.ts';
import type { Payload } from './payload.ts';

/** One authorised request. */
export interface Call {
  readonly store: BucketStore;
  readonly region: string;
  readonly bucketName: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: IncomingHttpHeaders;
  /** Starts the body; a client that waits for `100 Continue` sends it only now. */
  readonly payload: () => Payload;
  readonly now: number;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** Text is sent as XML. */
  readonly body?: string | Readable;
}

export type Operation = (call: Call) => Answer | Promise<Answer>;

export function bucketOf(call: Call): BucketFolder {
  return call.store.bucket(call.bucketName);
}

/** A count in the query: absent is `most`, more than `most` is cut to it, as S3 does. */
export function countParameter(call: Call, name: string, most: number): number {
  const text = call.query.get(name);
  if (text === undefined || text === '') return most;
  if (!/^[0-9]{1,10}$/.test(text)) {
    throw new S3Error('InvalidArgument', `${name} is "${text}", expected a number from 0 to ${most}`);
  }
  return Math.min(Number(text), most);
}

export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
