import { isRemovedApi } from '@cairn/shared/safety/tables/api-removals';
import { answerAlong } from '../path/random-paths.ts';
import { reportOn } from '../plan/reports.ts';
import { readDocuments } from './cluster-documents.ts';
import { LargeCluster } from './large-clusters.ts';

const PATH = ['4.18.30', '4.19.20', '4.20.5'];

export interface LargePlan {
  /** Size of the documents in MB. */
  readonly size: number;
  readonly parse: () => void;
  /** Reads the documents and plans along two minors. */
  readonly plan: () => void;
}

/** All documents of a cluster, to compare its plan with parsing them. */
export function largePlan(nodes: number): LargePlan {
  const cluster = new LargeCluster(nodes);
  const text = JSON.stringify([...cluster.documents(), ...cluster.workloads()]);
  // Requests come as bytes.
  const bytes = new TextEncoder().encode(text);
  return {
    size: Math.round(bytes.length / 1e6),
    parse: () => void JSON.parse(text),
    plan: () => {
      const reading = readDocuments(bytes, { isRemovedApi });
      if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
      const { hops } = reportOn(reading.facts, answerAlong(PATH));
      if (reading.facts.nodes?.length !== nodes || hops.length !== PATH.length - 1) {
        throw new Error('the plan is not of this cluster');
      }
    },
  };
}
