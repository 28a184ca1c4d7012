import type { Order, ServiceOptions } from './service.ts';

export interface RequestStep {
  /** Unique in its group. */
  readonly id: string;
  /** @default GET */
  readonly method?: string;
  /** Path and query, or an address that a former response named. `{{name}}` stands for a kept value. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and text are sent as they are, everything else as JSON. */
  readonly body?: unknown;
  /** Seconds by which the clock advances before the request. */
  readonly after?: number;
  /** Values of the response for later steps: the name of a header, or a JSON pointer into the body. */
  readonly keep?: Readonly<Record<string, string>>;
  /** The body is a file of the repository. */
  readonly isBodyLeftOut?: boolean;
  /** Only prepares something: its response is not part of the product. */
  readonly isUnrecorded?: boolean;
}

export type Step = RequestStep | { readonly order: Order; readonly after?: number };

/** Requests that run one after the other on one service. */
export interface Group {
  readonly name: string;
  /** The time of its first step: groups do not move each other. */
  readonly startsAt: string;
  readonly steps: readonly Step[];
}

/** A service with the groups that run on it, in this order, because later ones see what former ones stored. */
export interface Scenario {
  readonly name: string;
  readonly service: ServiceOptions;
  readonly groups: readonly Group[];
}
