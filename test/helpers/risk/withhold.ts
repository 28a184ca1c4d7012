import { type Json, listOf } from '../cluster/objects.ts';
import type { Random } from '../random.ts';
import type { DocumentName, WorldDocuments } from './world-documents.ts';

/** Documents that show less: some are missing, lists end early, and optional fields are gone. */
export function withhold(documents: WorldDocuments, random: Random): WorldDocuments {
  const dropped = random.pick([0, 0.1, 0.3, 0.6]);
  return Object.fromEntries(
    Object.entries(documents).flatMap(([name, document]) => {
      if (random.chance(dropped)) return [];
      return [[name, random.chance(0.3) ? shorten(name as DocumentName, document, random) : document]];
    }),
  );
}

function shorten(name: DocumentName, document: Json, random: Random): Json {
  switch (name) {
    case 'clusterOperators':
    case 'nodes':
    case 'pods':
      return firstPage(document, random);
    case 'operators':
      return random.chance(0.5) ? firstPage(document, random) : oneNamespace(document);
    case 'clusterVersion':
      return withoutStatus(document, random.pick(['capabilities', 'history']));
    case 'counts':
    case 'absent':
      return someCounts(document, random);
    default:
      return document;
  }
}

/** As `oc get --chunk-size` gets it, of a server that has more. */
function firstPage(list: Json, random: Random): Json {
  const items = list['items'] as readonly Json[];
  return { ...list, metadata: { continue: 'more' }, items: items.slice(0, random.below(items.length + 1)) };
}

/** As `oc get csv` prints it without `-A`. */
function oneNamespace({ apiVersion, kind, items }: Json): Json {
  const some = (items as readonly Json[]).filter(
    ({ metadata }) => (metadata as Json)['namespace'] === 'openshift-operators',
  );
  const kindOfItem = String(kind).replace(/List$/, '');
  return listOf(...some.map((item) => ({ apiVersion, kind: kindOfItem, ...item })));
}

function withoutStatus(document: Json, field: string): Json {
  const status = Object.entries(document['status'] as Json).filter(([name]) => name !== field);
  return { ...document, status: Object.fromEntries(status) };
}

function someCounts(document: Json, random: Random): Json {
  const { counts, absent, names } = document;
  const keys = Object.entries((counts ?? {}) as Json).filter(() => random.chance(0.6));
  return {
    ...document,
    ...(counts !== undefined && { counts: Object.fromEntries(keys) }),
    ...(names !== undefined && { names: random.chance(0.5) ? names : [] }),
    ...(absent !== undefined && {
      absent: (absent as readonly Json[]).filter(() => random.chance(0.5)),
    }),
  };
}
