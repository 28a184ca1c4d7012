import { asText } from '@cairn/shared/text/as-text';
import type { Block } from '@cairn/shared/text/blocks';
import { asMarkdown } from '@cairn/shared/text/markdown';
import { statusInput } from '@cairn/shared/update-status/input';
import { updateStatus } from '@cairn/shared/update-status/update-status';
import { readDocumentInput } from '../documents/read-documents.ts';
import { endpoints, type SentFields } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import { boundedAnswer, boundedJson, MARKDOWN_TYPE, TEXT_TYPE } from '../http/reply.ts';
import { ExpectedError } from '../runtime/errors.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { statusReport } from './report.ts';
import { updateStatusBody } from './schema.ts';
import { statusView } from './view.ts';

interface StatusDependencies {
  readonly openUploads: OpenUploads;
  readonly clock: () => number;
}

export function updateStatusEndpoints({ openUploads, clock }: StatusDependencies) {
  return endpoints({
    assessUpdate: async (call) => {
      const { fields, facts } = await readDocumentInput(call, updateStatusBody(), openUploads, () => ({
        isOneCluster: true,
      }));
      const at = momentToAssess(fields.at, call.query, clock());
      const input = statusInput(facts);
      if (!input.ok) throw new ExpectedError('invalid-documents', input.problem);
      const status = updateStatus(input.facts, at);
      const { format = 'json', details = 'none' } = fields;
      return format === 'json'
        ? boundedJson(statusView(status))
        : reportAnswer(statusReport(status, details), format);
    },
  });
}

export function reportAnswer(report: readonly Block[], format: 'text' | 'markdown') {
  return format === 'text'
    ? boundedAnswer(TEXT_TYPE, asText(report))
    : boundedAnswer(MARKDOWN_TYPE, asMarkdown(report));
}

const FURTHEST_MS = 24 * 3600_000;

/** A clock may be ahead, but an assessment of next week is a mistake. */
export function momentToAssess(sent: string | undefined, query: SentFields, now: number): number {
  if (sent === undefined) return now;
  const at = Date.parse(sent);
  if (at - now <= FURTHEST_MS) return at;
  const place = query['at'] === undefined ? { pointer: '/at' } : { parameter: 'at' };
  const detail = 'is more than 24 hours ahead; send a time up to then, or none for now';
  throw new Problem('invalid-parameter', `at=${sent}: ${detail}`, {
    errors: [{ ...place, value: sent, detail }],
  });
}
