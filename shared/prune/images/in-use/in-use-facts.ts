/** A tag of an ImageStream, as its status has it: every image it ever pointed at, newest first. */
export interface StreamTagItem {
  readonly digest: string;
  /** Milliseconds; null when the document did not tell, which counts as new. */
  readonly created: number | null;
}

export interface ImageStreamFacts {
  /** Milliseconds; null when the document did not tell, which counts as new. */
  readonly created: number | null;
  readonly tags: ReadonlyMap<string, readonly StreamTagItem[]>;
}

/** What clusters use of a registry, as the documents told that somebody sent. */
export interface InUse {
  /** Whether every kind that protects images was among the documents. */
  readonly complete: boolean;
  /** When the documents were collected, in milliseconds. */
  readonly collectedAt: number;
  /** A wrong clock wrote that time: how old they are is not known. */
  readonly isFromFuture?: true;
  /** `namespace/name@sha256:…` */
  readonly usedImages: ReadonlySet<string>;
  /** `namespace/name:tag` */
  readonly usedTags: ReadonlySet<string>;
  /** Digests found anywhere in other documents; they protect in any repository. */
  readonly usedDigests: ReadonlySet<string>;
  /** Those that an unreadable reference seems to name. */
  readonly protectedRepositories: ReadonlySet<string>;
  /** By repository, `namespace/name`; null when no ImageStreams were sent. */
  readonly streams: ReadonlyMap<string, ImageStreamFacts> | null;
}
