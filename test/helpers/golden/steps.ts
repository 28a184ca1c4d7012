import type { Order, ServiceOptions } from './service.ts';

export interface RequestStep {
  /** Unique in its group. */
  readonly id: string;
  /** @default GET */
  readonly method?: string;
  /** Path and query, or a URL from a former response. `{{name}}` is a kept value. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and text are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  /** Seconds that the clock advances before the request. */
  readonly after?: number;
  /** Values for later steps: a header name, or a JSON pointer into the body. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The body is a file of the repository. */
  readonly isBodyLeftOut?: boolean;
  /** Preparation only: its response is not part of the product. */
  readonly isUnrecorded?: boolean;
}

export type Step = RequestStep | { readonly order: Order; readonly after?: number };

/** Requests in sequence on one service. */
export interface Group {
  readonly name: string;
  /** Time of the first step. Groups do not shift each other. */
  readonly startsAt: string;
  readonly steps: readonly Step[];
}

/** A service and its groups in order. Later groups see the data of former ones. */
export interface Scenario {
  readonly name: string;
  readonly service: ServiceOptions;
  readonly groups: readonly Group[];
}
