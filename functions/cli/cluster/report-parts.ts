import type { DocumentReading } from '@cairn/shared/cluster/kinds';
import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { DocumentMistake } from '@cairn/shared/cluster/object-reader';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import type { InUseReduction } from '@cairn/shared/prune/images/in-use/reduced';
import { mistakeInWords } from './read-documents.ts';
import { badInput, type Failure } from '../failure.ts';
import { factsReader, type InUsePolicy, useReducer, type Wanted } from './wanted.ts';

export type Tell = (mistake: DocumentMistake) => string;

/** The facts of a cluster, from one list after the other. */
export class FactParts {
  readonly #parts: ClusterFacts[] = [];
  readonly #mistakes: string[] = [];

  add(reading: DocumentReading, tell: Tell): void {
    if (reading.ok) this.#parts.push(reading.facts);
    else this.#mistakes.push(...reading.mistakes.map(tell));
  }

  join(wanted: Wanted): ClusterFacts | Failure {
    if (this.#mistakes.length > 0) return badInput(...this.#mistakes);
    const known = this.#parts.flatMap((facts) => Object.entries(facts).filter(([, value]) => value !== null));
    const nothing = factsReader(wanted).finish(0, null) as Extract<DocumentReading, { ok: true }>;
    return { ...nothing.facts, ...Object.fromEntries(known) };
  }
}

export type CollectedUse = Extract<InUseReduction, { ok: true }> & {
  /** What the cluster did not show. */
  readonly unseen: readonly string[];
};

/** What is in use, by one list after the other. */
export class UseParts {
  readonly #documents: unknown[] = [];
  readonly #unseen: string[] = [];
  readonly #mistakes: string[] = [];

  add(part: InUseReduction, tell: Tell): void {
    if (part.ok) this.#documents.push(...part.documents);
    else this.#mistakes.push(...part.mistakes.map(tell));
  }

  /** The cluster does not show it. */
  miss(name: string): void {
    this.#unseen.push(name);
  }

  /** Reduced again, as the lists repeat each other, and read as whoever is told will read it. */
  join(policy: InUsePolicy, wanted: Wanted): CollectedUse | Failure {
    if (this.#mistakes.length > 0) return badInput(...this.#mistakes);
    const text = JSON.stringify(this.#documents);
    const whole = splitDocuments(Buffer.from(text), useReducer(policy, wanted, this.#unseen));
    return whole.ok ? { ...whole, unseen: this.#unseen } : badInput(...whole.mistakes.map(mistakeInWords));
  }
}
