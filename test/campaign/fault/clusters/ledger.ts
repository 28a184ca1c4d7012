import { gunzipSync } from 'node:zlib';
import type { DynamoDBClient, PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { ClusterRecord, ClusterSummary } from '@cairn/shared/cluster/record';
import { isHeadKey, keyOf, revisionOfBodyKey } from '../../../../functions/store/keys.ts';
import type { Report } from './reports.ts';

/** Something that was asked of the API, and what came of it. */
export interface Asked {
  readonly number: number;
  readonly what: 'put' | 'delete' | 'get' | 'history' | 'list' | 'watch';
  /** Of the cluster; of a list empty. */
  readonly id: string;
  readonly report: Report | null;
  readonly ifMatch: string | null;
  /** Only if there is none yet. */
  readonly isFirst: boolean;
  /** By the clock of who answers. */
  readonly now: string;
  readonly historyLimit: number;
  readonly askedAt: number;
  /** How often a call that was made for it was refused. */
  refusals: number;
  answeredAt: number;
  /** Null when there was no answer. */
  answer: Answer | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** One write of a head: whether it was carried out shows by what came after it. */
export interface HeadWrite {
  readonly id: string;
  readonly revision: string;
  readonly previous: string | null;
  readonly chunks: number;
  readonly summary: ClusterSummary | null;
  readonly by: Asked;
  /** At which turns it was tried; the first is the earliest that it can have been carried out. */
  readonly tries: number[];
}

/** All that was asked and all that was written for it, as it left the program. */
export class Ledger {
  readonly asked: Asked[] = [];
  readonly heads = new Map<string, HeadWrite>();
  readonly #bodies = new Map<string, Map<string, Uint8Array>>();

  /** Notes what this client writes, on behalf of what is asked at the time. */
  follow(client: DynamoDBClient, by: () => Asked, now: () => number): void {
    client.middlewareStack.add(
      (next, context) => (call) => {
        if (context.commandName === 'PutItemCommand') this.#note(call.input as PutItemCommandInput, by());
        return next(call);
      },
      // After those that plant a bug: what counts is what is sent.
      { step: 'initialize', name: 'ledger', priority: 'low' },
    );
    client.middlewareStack.add(
      (next, context) => (call) => {
        if (context.commandName === 'PutItemCommand') {
          const item = unmarshall((call.input as PutItemCommandInput).Item!);
          this.heads.get(String(item['revision']))?.tries.push(now());
        }
        return next(call);
      },
      // Once it has its turn.
      { step: 'deserialize', name: 'tries', priority: 'high' },
    );
  }

  /** What a write was to make of its cluster; null when it removes it, or its body was never sent whole. */
  recordOf({ revision, chunks }: HeadWrite): ClusterRecord | null {
    const parts = this.#bodies.get(revision);
    if (parts === undefined || parts.size !== chunks) return null;
    const inOrder = [...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
    return JSON.parse(gunzipSync(Buffer.concat(inOrder)).toString()) as ClusterRecord;
  }

  #note(input: PutItemCommandInput, by: Asked): void {
    const item = unmarshall(input.Item!);
    const key = keyOf(item);
    if (isHeadKey(key)) {
      const { id, revision, previous, chunks } = item as unknown as HeadWrite;
      const summary = (item['summary'] as ClusterSummary | undefined) ?? null;
      this.heads.set(revision, { id, revision, previous, chunks, summary, by, tries: [] });
    } else if (item['body'] !== undefined) {
      const revision = revisionOfBodyKey(key);
      const parts = this.#bodies.get(revision) ?? new Map<string, Uint8Array>();
      this.#bodies.set(revision, parts.set(key.sk, item['body'] as Uint8Array));
    }
  }
}
