import type * as z from 'zod/mini';
import type { ProblemBody } from '../../openapi/responses.ts';

/** A fault of a request: one field of it, and what would be accepted. */
export type FieldFault = NonNullable<z.output<ReturnType<typeof ProblemBody>>['errors']>[number];

interface ErrorParts {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly faults?: readonly FieldFault[];
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
}

/** Why a request was not answered, in the words of the service where it had any. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 when nothing answered. */
  readonly status: number;
  /** The last part of the problem's type: `unknown-channel`. */
  readonly code: string;
  readonly title: string;
  readonly faults: readonly FieldFault[];
  readonly requestId: string | null;
  /** Seconds until it is worth trying again; null when the service did not say. */
  readonly retryAfter: number | null;

  constructor(detail: string, parts: ErrorParts) {
    super(detail);
    this.status = parts.status;
    this.code = parts.code;
    this.title = parts.title;
    this.faults = parts.faults ?? [];
    this.requestId = parts.requestId ?? null;
    this.retryAfter = parts.retryAfter ?? null;
  }

  get needsToken(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /** Whether the same request may well be answered later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
