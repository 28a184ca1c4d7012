import { gzipSync } from 'node:zlib';
import { MAX_BODY_BYTES, MAX_INFLATED_BYTES } from '../../http/body.ts';
import { accepted } from '../service/refusal.ts';
import type { Question, Service, ServiceAnswer } from '../service/service.ts';

/** Asks about documents: compressed in the request, or uploaded before it when they are too large for one. */
export async function sendDocuments(
  service: Service,
  documents: Uint8Array,
  question: Omit<Question, 'body'>,
  /** Refusals that the caller deals with. */
  expected: readonly number[] = [],
): Promise<ServiceAnswer> {
  const take = (answer: ServiceAnswer) => (expected.includes(answer.status) ? answer : accepted(answer));
  const body = gzipSync(documents);
  const isSmall = body.length <= MAX_BODY_BYTES && documents.length <= MAX_INFLATED_BYTES;
  if (isSmall) {
    const headers = { ...question.headers, 'content-type': 'application/gzip' };
    return take(await service.ask({ ...question, headers, body }));
  }
  const upload = await service.upload(body);
  return take(await service.ask({ ...question, body: Buffer.from(JSON.stringify({ upload })) }));
}
