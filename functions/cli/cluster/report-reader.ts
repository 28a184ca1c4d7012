import type { ClusterReader, DocumentReading } from '@cairn/shared/cluster/kinds';
import type { DocumentMistake } from '@cairn/shared/cluster/object-reader';
import type { ObjectSink } from '@cairn/shared/json/frames';
import type { InUseReducer, InUseReduction } from '@cairn/shared/prune/images/in-use/reduced';

/** What documents come to for each who asked. */
export interface ReportReading {
  /** Null when nobody asked for facts. */
  readonly facts: DocumentReading | null;
  readonly uses: readonly InUseReduction[];
}

/** Hands every object to the reader of facts and to those of what is in use. */
export class ReportReader {
  readonly objects: ObjectSink;
  readonly #facts: ClusterReader | null;
  readonly #uses: readonly InUseReducer[];

  constructor(facts: ClusterReader | null, uses: readonly InUseReducer[]) {
    this.#facts = facts;
    this.#uses = uses;
    const sinks = [...(facts === null ? [] : [facts]), ...uses].map(({ objects }) => objects);
    this.objects = {
      get fault() {
        return sinks.map(({ fault }) => fault).find((fault) => fault !== null) ?? null;
      },
      object: (source) => sinks.forEach((sink) => sink.object(source)),
      list: (list, items) => sinks.forEach((sink) => sink.list(list, items)),
    };
  }

  finish(documents: number, fault: DocumentMistake | null): ReportReading {
    return {
      facts: this.#facts?.finish(documents, fault) ?? null,
      uses: this.#uses.map((reducer) => reducer.finish(documents, fault)),
    };
  }
}
