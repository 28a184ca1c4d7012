import { nearestName } from '../../text/nearest.ts';
import { quoteValue } from '../../text/quote.ts';
import { joinInWords } from '../../text/words.ts';
import type { OwnerQuery, PruneHooks, PruneLogger, PrunerOptions, Store } from './options.ts';
import { Registry } from './prunable-kinds.ts';
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
  readonly registry: Registry;
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
  checkMethods('store', options.store, ['list', 'remove']);
  checkType('strategy', options.strategy, 'function');
  const { hooks = {}, logger, concurrency = 1, maxDeletes = Infinity } = options;
  if (at(hooks, 'beforeDelete') !== undefined) checkMethods('hooks', hooks, ['beforeDelete']);
  if (at(hooks, 'afterDelete') !== undefined) checkMethods('hooks', hooks, ['afterDelete']);
  checkType('hooks', hooks, 'object');
  if (logger !== undefined) checkMethods('logger', logger, ['info', 'warn', 'error']);
  if (options.describe !== undefined) checkType('describe', options.describe, 'function');
  checkCount('concurrency', concurrency, 1);
  if (options.maxDeletes !== undefined) checkCount('maxDeletes', maxDeletes, 0);
  return {
    store: options.store,
    kinds: readKinds('kinds', options.kinds),
    strategy: options.strategy,
    now: readNow(options.now),
    registry: readRegistry(options.registry),
    isAllowedUnregistered: readAllowed(options.allowUnregistered ?? false),
    judgesAllKinds: readChoice('across', options.across, ['each-kind', 'all-kinds']) === 'all-kinds',
    namespaces: readNamespaces(options.namespaces),
    selector: readLabels(options.labels),
    isOwned: readOwner(options.owner),
    countUnprunable: readFlag('countUnprunable', options.countUnprunable),
    dryRun: readFlag('dryRun', options.dryRun),
    concurrency,
    maxDeletes,
    stopsOnError: readChoice('onError', options.onError, ['continue', 'stop']) === 'stop',
    hooks,
    logger: logger ?? null,
    describe: options.describe ?? describeResource,
  };
}

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

function refuse(option: string, value: unknown, accepted: string): TypeError {
  const given = value === undefined ? 'not given' : quoteValue(value);
  return new TypeError(`${option} is ${given}; it must be ${accepted}`);
}

function checkType(option: string, value: unknown, type: 'function' | 'object'): void {
  if (typeof value !== type || value === null) {
    throw refuse(option, value, type === 'function' ? 'a function' : 'an object');
  }
}

function checkMethods(option: string, value: unknown, names: readonly string[]): void {
  if (names.some((name) => typeof at(value, name) !== 'function')) {
    throw refuse(
      option,
      value,
      `an object with the function${names.length > 1 ? 's' : ''} ${joinInWords(names)}`,
    );
  }
}

function checkCount(option: string, value: unknown, least: number): void {
  const accepted = `a whole number from ${least} on`;
  if (typeof value !== 'number') throw refuse(option, value, accepted);
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${option} is ${value}; it must be ${accepted}`);
  }
}

function readFlag(option: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw refuse(option, value, 'true or false');
}

function readChoice<Choice extends string>(
  option: string,
  value: Choice | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  if (value === undefined) return choices[0];
  if (choices.includes(value)) return value;
  throw refuse(
    option,
    value,
    joinInWords(
      choices.map((choice) => quoteValue(choice)),
      'or',
    ),
  );
}

function checkList(option: string, value: unknown, of: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw refuse(option, value, `an array of ${of}`);
  if (value.length === 0) throw new RangeError(`${option} is empty; it must have at least one`);
}

function readKinds(option: string, value: unknown): GroupVersionKind[] {
  checkList(option, value, 'kinds');
  const kinds = value.map((name) => {
    try {
      return parseKind(name as string);
    } catch (error) {
      throw new TypeError(`${option}: ${(error as Error).message}`, { cause: error });
    }
  });
  const texts = kinds.map(kindText);
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  if (twice !== undefined)
    throw new RangeError(`${option} has ${quoteValue(twice)} twice; each kind is given once`);
  return kinds;
}

function readNow(now: unknown): () => Date {
  const isTime = now instanceof Date && !Number.isNaN(now.getTime());
  if (!isTime && typeof now !== 'function')
    throw refuse('now', now, 'a valid Date or a function that returns one');
  return () => {
    const time: unknown = typeof now === 'function' ? (now as () => unknown)() : now;
    if (time instanceof Date && !Number.isNaN(time.getTime())) return new Date(time);
    throw new TypeError(`now returned ${quoteValue(time)}; it must return a valid Date`);
  };
}

function readRegistry(registry: unknown): Registry {
  if (registry === undefined) return Registry.withDefaults();
  if (registry instanceof Registry) return registry;
  throw refuse('registry', registry, 'a Registry');
}

function readAllowed(allowed: boolean | readonly unknown[]): (kind: string) => boolean {
  if (typeof allowed === 'boolean') return () => allowed;
  if (!Array.isArray(allowed)) throw refuse('allowUnregistered', allowed, 'true, false or an array of kinds');
  const kinds = new Set(readKinds('allowUnregistered', allowed).map(kindText));
  return (kind) => kinds.has(kind);
}

function readNamespaces(namespaces: unknown): readonly string[] | null {
  if (namespaces === undefined) return null;
  checkList('namespaces', namespaces, 'names');
  const names = namespaces.map((name) => {
    if (typeof name !== 'string' || name === '')
      throw refuse('a name of namespaces', name, 'a text that is not empty');
    return name;
  });
  return [...new Set(names)];
}

function readLabels(labels: unknown): LabelSelector | null {
  if (labels === undefined) return null;
  const isLabels = typeof labels === 'object' && labels !== null && !Array.isArray(labels);
  if (typeof labels !== 'string' && !isLabels)
    throw refuse('labels', labels, 'a label selector or an object of labels');
  // An empty selector is more likely an unset variable than the intent to prune every object.
  if (labels === '' || (isLabels && Object.keys(labels).length === 0)) {
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

function readOwner(owner: unknown): (owners: readonly OwnerReference[]) => boolean {
  if (owner === undefined) return () => true;
  if (typeof owner === 'function') {
    return (owners) => {
      // A promise would pass as true.
      const isOwned: unknown = owner(owners);
      if (typeof isOwned === 'boolean') return isOwned;
      throw new TypeError(`owner returned ${quoteValue(isOwned)}; it must return true or false`);
    };
  }
  checkType('owner', owner, 'object');
  const fields = Object.entries(owner as OwnerQuery).filter(([, value]) => value !== undefined);
  if (fields.length === 0)
    throw new RangeError(`owner is empty; it must have at least one of ${OWNER_NAMES}`);
  for (const [name, value] of fields) {
    const type = Object.hasOwn(OWNER_FIELDS, name) ? OWNER_FIELDS[name as keyof OwnerQuery] : null;
    if (type === null)
      throw new TypeError(`owner has no field ${quoteValue(name)}; there are ${OWNER_NAMES}`);
    if (typeof value !== type || value === '')
      throw refuse(`owner.${name}`, value, type === 'string' ? 'a text that is not empty' : 'true or false');
  }
  return (owners) =>
    owners.some((reference) =>
      fields.every(([name, value]) => reference[name as keyof OwnerReference] === value),
    );
}

const OWNER_NAMES = joinInWords(Object.keys(OWNER_FIELDS));
