/** One request to the interface of Cairn. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServiceAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Whoever answers: a Cairn somewhere, or this program from the graphs that it was given. */
export interface Service {
  ask(question: Question): Promise<ServiceAnswer>;
  /** Hands over documents that are too large for a request; gives the id to name them by. */
  upload(bytes: Uint8Array): Promise<string>;
}
