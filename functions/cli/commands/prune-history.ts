import { readClusterVersion } from '@cairn/shared/cluster/cluster-version';
import type { HistoryEntry } from '@cairn/shared/cluster/facts';
import { type Kind, ObjectReader } from '@cairn/shared/cluster/object-reader';
import { splitDocuments } from '@cairn/shared/cluster/split-documents';
import type { Mistake } from '@cairn/shared/input/input-value';
import { HISTORY_MODES } from '@cairn/shared/prune/history/values';
import { badInput, EXIT } from '../../runtime/exit.ts';
import { OC_FLAGS } from '../cluster/oc.ts';
import { mistakeInWords, readDocuments } from '../cluster/read-documents.ts';
import type { Command } from '../host.ts';
import { formatOf, outputFlag, printAnswer } from '../output.ts';
import { offlineService } from '../service/offline-service.ts';
import { accepted } from '../service/service.ts';

export const pruneHistory: Command = {
  name: 'prune history',
  summary: 'what the history of a ClusterVersion would lose, and why',
  arguments: '[FILE…]',
  most: Infinity,
  about:
    'Ranks the updates in the history of a ClusterVersion and tells which of them would go, and why. Nothing is removed, and nothing is asked of anybody.',
  flags: {
    max: { kind: 'text', value: 'NUMBER', help: 'how many entries a history may have, from 8 (100)' },
    mode: {
      kind: 'text',
      values: HISTORY_MODES,
      help: 'what the cluster itself does, or what the archive of clusters does (cvo)',
    },
    output: outputFlag(['text', 'json', 'yaml']),
    ...OC_FLAGS,
  },
  examples: [
    'oc get clusterversion version -o json | cairn prune history --max 20',
    'cairn prune history --oc --mode fleet -o json',
  ],
  async run(args, host) {
    const { documents } = await readDocuments(args, host, [{ resource: 'clusterversion' }]);
    const histories = historiesIn(documents);
    const format = formatOf(args);
    const max = args.text('max');
    const body = {
      ...(histories.length === 1 ? { history: histories[0]!.history } : { histories }),
      ...(max !== undefined && { max: Number(max) }),
      ...(args.text('mode') !== undefined && { mode: args.text('mode') }),
      format: format === 'text' ? 'text' : 'json',
    };
    const answer = accepted(
      await offlineService({ graphs: [], support: null }, host.clock).ask({
        method: 'POST',
        path: '/v1/prune-evaluations/history',
        body: Buffer.from(JSON.stringify(body)),
      }),
    );
    printAnswer(answer.body, format, host);
    return EXIT.ready;
  },
};

/** Histories of all ClusterVersions; documents can be of several clusters. */
function historiesIn(documents: Uint8Array): readonly NamedHistory[] {
  const reading = splitDocuments(documents, new HistoryReader());
  if (!reading.ok) throw badInput(...reading.mistakes.map(mistakeInWords));
  if (reading.histories.length === 0) throw badInput('the documents hold no ClusterVersion');
  return reading.histories;
}

interface NamedHistory {
  readonly name: string;
  readonly history: readonly HistoryEntry[];
}

export class HistoryReader {
  readonly #histories: NamedHistory[] = [];
  readonly #kind: Kind = {
    only: 'version',
    supply: () => {},
    take: (object, _namespace, name) => {
      const { clusterId, history } = readClusterVersion(object);
      this.#histories.push({ name: clusterId ?? name, history });
      return true;
    },
  };
  readonly objects = new ObjectReader((kind) => (kind === 'ClusterVersion' ? this.#kind : null));

  finish(documents: number, fault: Mistake | null) {
    const reading = this.objects.finish(documents, fault);
    return reading.ok ? { ok: true as const, histories: this.#histories } : reading;
  }
}
