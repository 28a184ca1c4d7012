import { InputValue, isObject, type Mistake, notesIn, SPEC } from '../../../input/input-value.ts';
import { durationText, parseDuration } from '../../../text/duration.ts';
import { nearestName } from '../../../text/nearest.ts';
import { quoteValue } from '../../../text/quote.ts';
import { joinInWords } from '../../../text/words.ts';
import { readTimeZone } from '../../../time/time-zone.ts';
import { readSchedule, goDurationInSeconds } from '../../schedule/read-schedule.ts';
import { LOG_LEVELS, MANAGEMENT_STATES } from '../values.ts';

/** Folder of a registry's storage in a bucket, the parent of `docker/registry/v2/`. */
export interface RegistryTarget {
  readonly bucket: string;
  /** Without leading and trailing slashes; can be empty. */
  readonly prefix: string;
}

export type ManagementState = (typeof MANAGEMENT_STATES)[number];

export type PrunerSpec = Readonly<ReturnType<typeof readSpec>>;

/** Stored and returned without effect: there is no pod to place. */
type PodPlacement = Readonly<Partial<Record<Exclude<PlacementField, 'logLevel'>, unknown>>> & {
  readonly logLevel?: string;
};

const PLACEMENT_FIELDS = ['resources', 'affinity', 'nodeSelector', 'tolerations', 'logLevel'] as const;
type PlacementField = (typeof PLACEMENT_FIELDS)[number];

const HISTORY_FIELDS = ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const;

const SPEC_FIELDS = [
  'schedule',
  'timeZone',
  'suspend',
  'keepTagRevisions',
  'keepYoungerThan',
  'keepYoungerThanDuration',
  'startingDeadlineSeconds',
  'history',
  ...HISTORY_FIELDS,
  'managementState',
  'target',
  'dryRun',
  'protectedTags',
  'protectedRepositories',
  'grace',
  'requireInUse',
  'maxDeletes',
  'acknowledgeUnversioned',
  'ignoreInvalidImageReferences',
  ...PLACEMENT_FIELDS,
];
const OBJECT_FIELDS = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];

export const API_GROUP = 'imageregistry.operator.openshift.io';
export const PRUNER_KIND = 'ImagePruner' as const;

const DEFAULT_SCHEDULE = '0 0 * * *';
const DAY_SECONDS = 86_400;
const MOST_PATTERNS = 1000;
const PATTERN = /^[A-Za-z0-9_.*?/:-]{1,300}$/;

/**
 * Reads a spec or an ImagePruner, in its shipped or first proposed form. Reports all mistakes at once.
 * `{ spec: { suspend: 'yes' } }` gives `/spec/suspend: is "yes", true or false is accepted`.
 */
export function readPrunerSpec(
  input: unknown,
  context: {
    /** `metadata.name` must match if present. */
    readonly name: string;
    /** Allowed targets; the first is the default. */
    readonly targets: readonly RegistryTarget[];
  },
):
  | { readonly ok: true; readonly spec: PrunerSpec; readonly notes: readonly string[] }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = [];
  const notes: string[] = [];
  const fields = specFields(input, context.name, mistakes);
  refuseOthers(fields, SPEC_FIELDS);
  const spec = readSpec(fields, context.targets, notes);
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, spec, notes };
}

function readSpec(fields: InputValue, targets: readonly RegistryTarget[], notes: string[]) {
  const keepYoungerThan = readKeepYoungerThan(fields, notes);
  /** Time between condemning and deleting. */
  const grace = readDuration(fields.at('grace'), '24h');
  const limits = historyLimits(fields);
  return {
    schedule: readScheduleText(fields.at('schedule')),
    timeZone: readZone(fields.at('timeZone')),
    suspend: fields.at('suspend').flag(),
    keepTagRevisions: fields.at('keepTagRevisions').integer({ least: 0, most: 100_000 }) ?? 3,
    keepYoungerThan: keepYoungerThan.text,
    keepYoungerThanMs: keepYoungerThan.milliseconds,
    startingDeadlineSeconds:
      fields.at('startingDeadlineSeconds').integer({
        least: 60,
        most: DAY_SECONDS,
        why: ': a schedule fires within the minute, and is given up after a day',
      }) ?? 3600,
    ...limits,
    managementState: fields.at('managementState').oneOf(MANAGEMENT_STATES) ?? 'Managed',
    target: readTarget(fields.at('target'), targets),
    dryRun: fields.at('dryRun').flag(true),
    protectedTags: readPatterns(fields.at('protectedTags'), 'v* or shop/*:stable'),
    protectedRepositories: readPatterns(fields.at('protectedRepositories'), 'shop/*'),
    grace: grace.text,
    graceMs: grace.milliseconds,
    requireInUse: fields.at('requireInUse').flag(),
    maxDeletes: fields.at('maxDeletes').integer({ least: 1, most: 1_000_000_000 }),
    acknowledgeUnversioned: fields.at('acknowledgeUnversioned').flag(),
    ignoreInvalidImageReferences: fields.at('ignoreInvalidImageReferences').flag(),
    placement: readPlacement(fields),
  };
}

/** Writes every field, in the form that `readPrunerSpec` accepts. */
export function writePrunerSpec(spec: PrunerSpec) {
  const {
    keepYoungerThanMs: _milliseconds,
    graceMs: _grace,
    successfulJobsHistoryLimit,
    failedJobsHistoryLimit,
    placement,
    ...same
  } = spec;
  return { ...same, history: { successfulJobsHistoryLimit, failedJobsHistoryLimit }, ...placement };
}

/** JSON pointers of fields that are stored without effect: `/spec/resources`. */
export function notApplicableFields({ placement }: PrunerSpec): string[] {
  return PLACEMENT_FIELDS.filter((name) => name in placement).map((name) => `/spec/${name}`);
}

/** Unknown fields reported per object. */
const MOST_UNKNOWN = 20;
const LONGEST_NAME = 100;

/** Notes every unknown field; fields in `belowSpec` belong one level deeper. */
function refuseOthers(object: InputValue, known: readonly string[], belowSpec: readonly string[] = []): void {
  for (const name of object.otherKeys(known).slice(0, MOST_UNKNOWN)) {
    const nearest = nearestName(name, known);
    const accepted = nearest === null ? `accepted are ${joinInWords(known)}` : `did you mean ${nearest}?`;
    const detail = belowSpec.includes(name) ? 'belongs into spec' : `is not known, ${accepted}`;
    object.at(name.slice(0, LONGEST_NAME)).refuse(detail);
  }
}

/** Accepts a bare spec or a Kubernetes object. */
function specFields(input: unknown, name: string, mistakes: Mistake[]): InputValue {
  const whole = new InputValue(input, notesIn(mistakes, SPEC));
  if (whole.isMissing) whole.mismatch('an object');
  const isWhole = isObject(input) && OBJECT_FIELDS.some((field) => Object.hasOwn(input, field));
  if (!isWhole) return whole.object();
  refuseOthers(whole, OBJECT_FIELDS, SPEC_FIELDS);
  const apiVersion = whole.at('apiVersion').string() ?? '';
  if (apiVersion !== '' && !apiVersion.startsWith(`${API_GROUP}/`)) {
    whole.at('apiVersion').mismatch(`${API_GROUP}/v1`);
  }
  whole.at('kind').oneOf([PRUNER_KIND]);
  const given = whole.at('metadata').object().at('name');
  const named = given.string() ?? name;
  if (named !== name) given.refuse(`is ${quoteValue(named)}, but the path names ${quoteValue(name)}`);
  const spec = whole.at('spec');
  if (spec.isMissing) spec.refuse('is missing, it may be empty: {}');
  return spec.object();
}

function readScheduleText(value: InputValue): string {
  // The cluster's operator also reads an empty schedule as midnight.
  const reading = readSchedule(value.string() || DEFAULT_SCHEDULE);
  if (reading.ok) return reading.schedule.text;
  value.refuse(reading.problem);
  return DEFAULT_SCHEDULE;
}

function readZone(value: InputValue): string {
  const reading = readTimeZone(value.string() ?? 'UTC');
  if (reading.ok) return reading.timeZone;
  value.refuse(reading.problem);
  return 'UTC';
}

/** In `history` as proposed, or beside it as shipped. */
function historyLimits(fields: InputValue): Record<(typeof HISTORY_FIELDS)[number], number> {
  const history = fields.at('history').object();
  refuseOthers(history, HISTORY_FIELDS);
  const [successfulJobsHistoryLimit, failedJobsHistoryLimit] = HISTORY_FIELDS.map((name) => {
    const range = { least: 1, most: 100, why: ': the last run must stay to tell how it went' };
    const inside = history.at(name).integer(range);
    const beside = fields.at(name).integer(range);
    if (inside !== null && beside !== null && inside !== beside) {
      fields.at(name).refuse(`is ${beside}, but ${history.at(name).place.pointer} is ${inside}`);
    }
    return inside ?? beside ?? 3;
  }) as [number, number];
  return { successfulJobsHistoryLimit, failedJobsHistoryLimit };
}

function readTarget(value: InputValue, targets: readonly RegistryTarget[]): RegistryTarget {
  const [first = { bucket: '', prefix: '' }] = targets;
  const target = value.object();
  refuseOthers(target, ['bucket', 'prefix']);
  if (targets.length === 0) {
    target.refuse('cannot be set: no registry bucket is named in the settings of this deployment');
    return first;
  }
  const bucket = target.at('bucket').string() ?? first.bucket;
  const inBucket = targets.filter((granted) => granted.bucket === bucket);
  if (inBucket.length === 0) {
    const buckets = [...new Set(targets.map((granted) => granted.bucket))];
    refuseUngranted(target.at('bucket'), bucket, buckets);
    return first;
  }
  const prefix = (target.at('prefix').string() ?? inBucket[0]!.prefix).replace(/^\/+|\/+$/g, '');
  const granted = inBucket.find((candidate) => candidate.prefix === prefix);
  if (granted !== undefined) return { bucket, prefix };
  refuseUngranted(
    target.at('prefix'),
    prefix,
    inBucket.map((candidate) => quoteValue(candidate.prefix)),
  );
  return first;
}

function refuseUngranted(value: InputValue, given: string, granted: readonly string[]): void {
  value.refuse(`is ${quoteValue(given)}, the settings of this deployment name ${joinInWords(granted, 'or')}`);
}

/** Drops duplicates. */
function readPatterns(list: InputValue, example: string): readonly string[] {
  const items = list.items('a list of texts');
  if (items.length > MOST_PATTERNS) {
    list.refuse(`has ${items.length} entries, at most ${MOST_PATTERNS} are accepted`);
    return [];
  }
  const patterns = items.map((item) => {
    if (typeof item.value !== 'string') return item.mismatch('a text');
    if (PATTERN.test(item.value)) return item.value;
    const rule = `a name is accepted, with * and ? as in ${example}, of at most 300 characters`;
    return item.refuse(`is ${quoteValue(item.value)}, ${rule}`);
  });
  return [...new Set(patterns.filter((pattern) => pattern !== null))];
}

/** Tolerations were proposed as a map and shipped as a list. */
function readPlacement(fields: InputValue): PodPlacement {
  const placement: Partial<Record<PlacementField, unknown>> = {};
  for (const name of PLACEMENT_FIELDS) {
    const value = name === 'logLevel' ? fields.at(name).oneOf(LOG_LEVELS) : readPlaced(fields.at(name), name);
    if (value !== null) placement[name] = value;
  }
  return placement as PodPlacement;
}

function readPlaced(value: InputValue, name: PlacementField): unknown {
  const isList = name === 'tolerations';
  return value.parsed(
    (given) => (isObject(given) || (isList && Array.isArray(given)) ? given : null),
    isList ? 'a list' : 'an object',
  );
}

const DURATION_RULE = 'a duration such as 60m, 36h or 7d';
/** Ten years; to keep images forever, suspend the pruner. */
const LONGEST_MS = 3650 * 24 * 3600_000;
const NANOSECONDS_PER_MS = 1_000_000;
/** A number means nanoseconds, so a small one is likely a mistake. */
const LEAST_NANOSECONDS = 1_000_000_000;

interface ReadDuration {
  readonly text: string;
  readonly milliseconds: number;
}

/** The newer name wins over the older one, which may be a number of nanoseconds. */
function readKeepYoungerThan(fields: InputValue, notes: string[]): ReadDuration {
  const standard = '60m';
  const [newer, older] = [fields.at('keepYoungerThanDuration'), fields.at('keepYoungerThan')];
  if (!newer.isMissing) {
    if (!older.isMissing) {
      notes.push('keepYoungerThan is ignored, since keepYoungerThanDuration is given');
    }
    return readDuration(newer, standard);
  }
  const { value } = older;
  if (typeof value !== 'number') return readDuration(older, standard);
  const milliseconds = Math.ceil(value / NANOSECONDS_PER_MS);
  const isMeant = Number.isInteger(value) && (value === 0 || value >= LEAST_NANOSECONDS);
  if (isMeant && milliseconds <= LONGEST_MS) {
    return { text: durationText(milliseconds), milliseconds };
  }
  older.refuse(
    `is ${value}; a number means nanoseconds, 0 or from ${LEAST_NANOSECONDS} to ten years, as text ${DURATION_RULE} is accepted`,
  );
  return { text: standard, milliseconds: parseDuration(standard)! };
}

function readDuration(value: InputValue, standard: string): ReadDuration {
  const otherwise = { text: standard, milliseconds: parseDuration(standard)! };
  const duration = value.parsed((text) => {
    const milliseconds = typeof text === 'string' ? millisecondsOf(text) : null;
    return milliseconds === null ? null : { text: text as string, milliseconds };
  }, DURATION_RULE);
  if (duration === null || duration.milliseconds <= LONGEST_MS) return duration ?? otherwise;
  value.mismatch(`at most ${durationText(LONGEST_MS)}`);
  return otherwise;
}

/** Accepts Cairn's format, or Go's with fractions. */
export function millisecondsOf(text: string): number | null {
  const own = parseDuration(text);
  if (own !== null) return own;
  const seconds = goDurationInSeconds(text);
  return seconds === null || seconds < 0 || text.startsWith('-') ? null : seconds * 1000;
}
