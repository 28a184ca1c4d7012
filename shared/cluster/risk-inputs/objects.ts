import { type InputValue, isCount, isObject } from '../../input/input-value.ts';
import type { DocumentKind } from '../document-kinds.ts';
import { Collection, type Collector } from '../object-reader.ts';
import type {
  AbsentObject,
  ContainerImagesFacts,
  InstallerFacts,
  ObjectCountsFacts,
  ObjectNames,
  ProxyFacts,
  RiskAnswerFacts,
} from './facts.ts';

export function readInstaller(object: InputValue): InstallerFacts {
  const [version, invoker] = ['version', 'invoker'].map((key) => object.at('data', key));
  return { version: textIfGiven(version!), invoker: textIfGiven(invoker!) };
}

function textIfGiven(value: InputValue): string | null {
  return value.isMissing ? null : value.text();
}

export function readProxy(object: InputValue): ProxyFacts {
  const spec = object.at('spec');
  return {
    http: spec.at('httpProxy').text() !== '',
    https: spec.at('httpsProxy').text() !== '',
    trustedCa: spec.at('trustedCA', 'name').text() !== '',
  };
}

/** The API server fills in the default of one. */
export function readReplicas(object: InputValue): number | null {
  const spec = object.at('spec');
  return spec.isMissing ? null : (spec.at('replicas').integer({ least: 0 }) ?? 1);
}

export const NO_COUNTS: ObjectCountsFacts = { counts: {}, names: [], absent: [] };

/** Later counts replace those before. */
export function mergeCounts(one: ObjectCountsFacts, other: ObjectCountsFacts): ObjectCountsFacts {
  const counts = Object.entries({ ...one.counts, ...other.counts });
  return {
    counts: Object.fromEntries(counts.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    names: distinct([...one.names, ...other.names], ({ resource, namespace }) => [resource, namespace]),
    absent: distinct([...one.absent, ...other.absent], ({ resource, namespace, name }) => [
      resource,
      namespace ?? '',
      name,
    ]),
  };
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => readonly string[]): readonly Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item).join('\0'), item]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

export function objectCounts(): Collector<ObjectCountsFacts> {
  let counts: ObjectCountsFacts | null = null;
  return {
    supply: () => {},
    take: (object) => {
      counts = mergeCounts(counts ?? NO_COUNTS, readCounts(object));
    },
    value: () => counts,
  };
}

function readCounts(object: InputValue): ObjectCountsFacts {
  const counts = object.at('counts').entries('an object with a number for each resource');
  return {
    counts: Object.fromEntries(
      counts.map(([resource, count]) => [
        resource,
        count.parsed(
          (value) => (isCount(value) ? value : null),
          'a whole number, or null for a resource that is not served',
        ),
      ]),
    ),
    names: object.at('names').items().map(readNames),
    absent: object.at('absent').items().map(readAbsent),
  };
}

function readNames(entry: InputValue): ObjectNames {
  const names = entry.at('names');
  if (names.isMissing) names.mismatch('an array of all names');
  return {
    resource: required(entry, 'resource'),
    namespace: required(entry, 'namespace'),
    names: names.texts().toSorted(),
  };
}

function readAbsent(entry: InputValue): AbsentObject {
  const namespace = entry.at('namespace').text();
  return {
    resource: required(entry, 'resource'),
    ...(namespace !== '' && { namespace }),
    name: required(entry, 'name'),
  };
}

function required(entry: InputValue, key: string): string {
  const value = entry.at(key);
  return value.textOrNull() ?? value.mismatch(`the ${key}`) ?? '';
}

/** More are not worth their bytes in a report. */
const MOST_IMAGES = 2000;

interface ImagesOfPod {
  readonly images: readonly string[];
  /** A Pod that no node runs has none yet. */
  readonly areAll: boolean;
}

/** Images of Pods, or those that a report gathered from them. */
export function containerImages(): Collector<ContainerImagesFacts> {
  const pods = new Collection(readImagesOfPod);
  let areAllPods = false;
  let reported: ContainerImagesFacts | null = null;
  return {
    // Every cluster has Pods: an empty list does not count.
    supply: () => {},
    complete: () => {
      areAllPods = true;
    },
    take: (object: InputValue, namespace: string, name: string, row: DocumentKind) => {
      if (row.kind === 'Pod') pods.take(object, namespace, name, row);
      else reported = readReportedImages(object);
    },
    value: () => {
      if (reported !== null) return reported;
      const read = pods.inOrder() ?? [];
      const all = [...new Set(read.flatMap(({ images }) => images))].toSorted();
      const images = all.slice(0, MOST_IMAGES);
      const isComplete =
        areAllPods && read.length > 0 && read.every(({ areAll }) => areAll) && all.length === images.length;
      return images.length === 0 && !isComplete ? null : { images, isComplete };
    },
  };
}

function readImagesOfPod(object: InputValue): ImagesOfPod {
  const status = object.at('status');
  const statuses = status.at('containerStatuses');
  return {
    images: statuses.items().map((container) => container.at('image').text()),
    areAll: !statuses.isMissing || status.at('phase').text() === 'Pending',
  };
}

function readReportedImages(object: InputValue): ContainerImagesFacts {
  return { images: object.at('images').texts(), isComplete: object.at('complete').flag() };
}

const LONGEST_QUERY = 16 * 1024;

/** Of two answers to a query, the last one counts. */
export function riskAnswers(): Collector<readonly RiskAnswerFacts[]> {
  let answers: ReadonlyMap<string, RiskAnswerFacts> | null = null;
  return {
    supply: () => {},
    take: (object) => {
      const read = object
        .at('answers')
        .items()
        .map(readAnswer)
        .map((answer) => [answer.promql, answer] as const);
      answers = new Map([...(answers ?? []), ...read]);
    },
    value: () => answers && [...answers.values()].toSorted((a, b) => (a.promql < b.promql ? -1 : 1)),
  };
}

function readAnswer(answer: InputValue): RiskAnswerFacts {
  const [promql, at, data] = [answer.at('promql'), answer.at('at'), answer.at('data')];
  const isError = !answer.at('error').isMissing;
  if (isError) answer.at('error').string();
  else if (!isObject(data.value)) data.mismatch('the data of the answer, or its error');
  return {
    promql: promql.text(LONGEST_QUERY) || (promql.mismatch('the text of the query') ?? ''),
    at: at.time() ?? at.mismatch('the time of the answer') ?? '',
    outcome: isError ? 'fails' : outcomeOfData(data.value),
  };
}

const NUMBER = /^[-+]?[\d.]+(e[-+]?\d+)?$/i;

/** A cluster takes one sample of 1 or 0 for an answer, and anything else for an error. */
export function outcomeOfData(data: unknown): RiskAnswerFacts['outcome'] {
  const { resultType, result } = (data ?? {}) as { readonly resultType?: unknown; readonly result?: unknown };
  if (resultType !== 'vector' || !Array.isArray(result) || result.length !== 1) return 'fails';
  const { value } = (result[0] ?? {}) as { readonly value?: unknown };
  const text: unknown = Array.isArray(value) ? value[1] : null;
  if (typeof text !== 'string' || !NUMBER.test(text)) return 'fails';
  const number = Number(text);
  return number === 1 ? 'yes' : number === 0 ? 'no' : 'fails';
}
