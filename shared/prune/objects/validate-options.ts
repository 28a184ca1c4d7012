import { InputValue, isObject, type Notes } from '../../input/input-value.ts';
import { nearestName } from '../../text/nearest.ts';
import { quoteValue } from '../../text/quote.ts';
import { joinInWords } from '../../text/words.ts';
import type { OwnerQuery, PruneHooks, PruneLogger, PrunerOptions, Store } from './options.ts';
import { PrunableKinds } from './prunable-kinds.ts';
import {
  at,
  type Describe,
  describeResource,
  type GroupVersionKind,
  kindText,
  type OwnerReference,
  parseKind,
} from './resource.ts';
import { type Strategy, type LabelSelector, parseSelector } from './selector.ts';

export interface Settings<T> {
  readonly store: Store<T>;
  readonly kinds: readonly GroupVersionKind[];
  readonly strategy: Strategy<T>;
  readonly now: () => Date;
  readonly registry: PrunableKinds;
  readonly isAllowedUnregistered: (kind: string) => boolean;
  readonly judgesAllKinds: boolean;
  readonly namespaces: readonly string[] | null;
  readonly selector: LabelSelector | null;
  readonly isOwned: (owners: readonly OwnerReference[]) => boolean;
  readonly countUnprunable: boolean;
  readonly dryRun: boolean;
  readonly concurrency: number;
  readonly maxDeletes: number;
  readonly stopsOnError: boolean;
  readonly hooks: PruneHooks<T>;
  readonly logger: PruneLogger | null;
  readonly describe: Describe<T>;
}

/** Throws a TypeError or a RangeError that names the option, its value, and the accepted values. */
export function readSettings<T>(options: PrunerOptions<T>): Settings<T> {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options are ${quoteValue(options)}; createPruner takes an object`);
  }
  checkNames(options);
  const given = (name: keyof PrunerOptions<T>) => new InputValue(options[name], OPTION, { source: name });
  checkMethods(given('store'), ['list', 'remove']);
  checkFunction(given('strategy'));
  const { hooks = {}, logger, concurrency = 1, maxDeletes = Infinity } = options;
  for (const name of ['beforeDelete', 'afterDelete']) {
    if (at(hooks, name) !== undefined) checkMethods(given('hooks'), [name]);
  }
  if (typeof hooks !== 'object' || hooks === null) given('hooks').mismatch('an object');
  if (logger !== undefined) checkMethods(given('logger'), ['info', 'warn', 'error']);
  if (options.describe !== undefined) checkFunction(given('describe'));
  checkCount(given('concurrency'), 1);
  checkCount(given('maxDeletes'), 0);
  return {
    store: options.store,
    kinds: readKinds(given('kinds')),
    strategy: options.strategy,
    now: readNow(given('now')),
    registry: readRegistry(given('registry')),
    isAllowedUnregistered: readAllowed(given('allowUnregistered')),
    judgesAllKinds: readChoice(given('across'), ['each-kind', 'all-kinds']) === 'all-kinds',
    namespaces: readNamespaces(given('namespaces')),
    selector: readLabels(given('labels')),
    isOwned: readOwner(given('owner')),
    countUnprunable: given('countUnprunable').flag(),
    dryRun: given('dryRun').flag(),
    concurrency,
    maxDeletes,
    stopsOnError: readChoice(given('onError'), ['continue', 'stop']) === 'stop',
    hooks,
    logger: logger ?? null,
    describe: options.describe ?? describeResource,
  };
}

/** The first mistake throws. */
const OPTION: Notes = {
  wording: {
    nullIsMissing: false,
    text: 'a text',
    mismatch: (value, { accepted }) => ({
      detail: `is ${value === undefined ? 'not given' : quoteValue(value)}; it must be ${accepted}`,
    }),
  },
  mistake({ source, detail }) {
    throw new TypeError(`${source} ${detail}`);
  },
};

const NAMES: Readonly<Record<keyof PrunerOptions<unknown>, true>> = {
  store: true,
  kinds: true,
  strategy: true,
  now: true,
  registry: true,
  allowUnregistered: true,
  across: true,
  namespaces: true,
  labels: true,
  owner: true,
  countUnprunable: true,
  dryRun: true,
  concurrency: true,
  maxDeletes: true,
  onError: true,
  hooks: true,
  logger: true,
  describe: true,
};

/** A mistyped `dryRun` must not delete. */
function checkNames(options: object): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(NAMES, name)) continue;
    const nearest = nearestName(name, Object.keys(NAMES));
    const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
    throw new TypeError(`createPruner has no option ${quoteValue(name)}${hint}`);
  }
}

function checkFunction(option: InputValue): void {
  if (typeof option.value !== 'function') option.mismatch('a function');
}

function checkMethods(option: InputValue, names: readonly string[]): void {
  if (names.every((name) => typeof at(option.value, name) === 'function')) return;
  option.mismatch(`an object with the function${names.length > 1 ? 's' : ''} ${joinInWords(names)}`);
}

function checkCount(option: InputValue, least: number): void {
  const { value, place } = option;
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${place.source} is ${value}; it must be a whole number from ${least} on`);
  }
  option.integer({ least });
}

function readChoice<Choice extends string>(
  option: InputValue,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  return (
    option.oneOf(
      choices,
      joinInWords(
        choices.map((choice) => quoteValue(choice)),
        'or',
      ),
    ) ?? choices[0]
  );
}

function readItems(option: InputValue, of: string): InputValue[] {
  if (!Array.isArray(option.value)) option.mismatch(`an array of ${of}`);
  const items = option.items();
  if (items.length === 0) throw new RangeError(`${option.place.source} is empty; it must have at least one`);
  return items;
}

function readKinds(option: InputValue): GroupVersionKind[] {
  const kinds = readItems(option, 'kinds').map(({ value }) => {
    try {
      return parseKind(value as string);
    } catch (error) {
      throw new TypeError(`${option.place.source}: ${(error as Error).message}`, { cause: error });
    }
  });
  const texts = kinds.map(kindText);
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  if (twice !== undefined)
    throw new RangeError(`${option.place.source} has ${quoteValue(twice)} twice; each kind is given once`);
  return kinds;
}

function readNow(option: InputValue): () => Date {
  const { value: now } = option;
  if (!isTime(now) && typeof now !== 'function') {
    option.mismatch('a valid Date or a function that returns one');
  }
  return () => {
    const time: unknown = typeof now === 'function' ? (now as () => unknown)() : now;
    if (isTime(time)) return new Date(time);
    throw new TypeError(`now returned ${quoteValue(time)}; it must return a valid Date`);
  };
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function readRegistry(option: InputValue): PrunableKinds {
  const registry = option.parsed((value) => (value instanceof PrunableKinds ? value : null), 'a Registry');
  return registry ?? PrunableKinds.withDefaults();
}

function readAllowed(option: InputValue): (kind: string) => boolean {
  const allowed = option.value ?? false;
  if (typeof allowed === 'boolean') return () => allowed;
  if (!Array.isArray(allowed)) option.mismatch('true, false or an array of kinds');
  const kinds = new Set(readKinds(option).map(kindText));
  return (kind) => kinds.has(kind);
}

function readNamespaces(option: InputValue): readonly string[] | null {
  if (option.isMissing) return null;
  const names = readItems(option, 'names').map(({ value }) => {
    const name = new InputValue(value, OPTION, { source: 'a name of namespaces' });
    if (typeof value !== 'string' || value === '') name.mismatch('a text that is not empty');
    return value as string;
  });
  return [...new Set(names)];
}

function readLabels(option: InputValue): LabelSelector | null {
  if (option.isMissing) return null;
  const { value: labels } = option;
  if (typeof labels !== 'string' && !isObject(labels)) {
    option.mismatch('a label selector or an object of labels');
  }
  // An empty selector is more likely an unset value than the wish to prune everything.
  if (labels === '' || (isObject(labels) && Object.keys(labels).length === 0)) {
    throw new RangeError('labels is empty; leave it out to take objects with any labels');
  }
  try {
    return parseSelector(labels as string);
  } catch (error) {
    throw new RangeError(`labels: ${(error as Error).message}`, { cause: error });
  }
}

const OWNER_FIELDS = {
  uid: 'string',
  kind: 'string',
  name: 'string',
  apiVersion: 'string',
  controller: 'boolean',
};

function readOwner(option: InputValue): (owners: readonly OwnerReference[]) => boolean {
  const { value: owner } = option;
  if (owner === undefined) return () => true;
  if (typeof owner === 'function') {
    return (owners) => {
      // A promise would pass as true.
      const isOwned: unknown = owner(owners);
      if (typeof isOwned === 'boolean') return isOwned;
      throw new TypeError(`owner returned ${quoteValue(isOwned)}; it must return true or false`);
    };
  }
  if (typeof owner !== 'object' || owner === null) option.mismatch('an object');
  const fields = Object.entries(owner as OwnerQuery).filter(([, value]) => value !== undefined);
  if (fields.length === 0)
    throw new RangeError(`owner is empty; it must have at least one of ${OWNER_NAMES}`);
  for (const [name, value] of fields) {
    const type = Object.hasOwn(OWNER_FIELDS, name) ? OWNER_FIELDS[name as keyof OwnerQuery] : null;
    if (type === null)
      throw new TypeError(`owner has no field ${quoteValue(name)}; there are ${OWNER_NAMES}`);
    const field = new InputValue(value, OPTION, { source: `owner.${name}` });
    if (typeof value !== type || value === '')
      field.mismatch(type === 'string' ? 'a text that is not empty' : 'true or false');
  }
  return (owners) =>
    owners.some((reference) =>
      fields.every(([name, value]) => reference[name as keyof OwnerReference] === value),
    );
}

const OWNER_NAMES = joinInWords(Object.keys(OWNER_FIELDS));
