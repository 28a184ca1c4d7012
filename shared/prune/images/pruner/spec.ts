import { isObject } from '../../../input/input-value.ts';
import { type Mistake, SpecFields } from '../../../input/spec-fields.ts';
import { durationText, parseDuration } from '../../../text/duration.ts';
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

export interface PrunerSpec {
  readonly schedule: string;
  readonly timeZone: string;
  readonly suspend: boolean;
  readonly keepTagRevisions: number;
  /** As given. */
  readonly keepYoungerThan: string;
  readonly keepYoungerThanMs: number;
  readonly startingDeadlineSeconds: number;
  readonly successfulJobsHistoryLimit: number;
  readonly failedJobsHistoryLimit: number;
  readonly managementState: ManagementState;
  readonly target: RegistryTarget;
  readonly dryRun: boolean;
  readonly protectedTags: readonly string[];
  readonly protectedRepositories: readonly string[];
  /** As given; time between condemning and deleting. */
  readonly grace: string;
  readonly graceMs: number;
  readonly requireInUse: boolean;
  readonly maxDeletes: number | null;
  readonly acknowledgeUnversioned: boolean;
  readonly ignoreInvalidImageReferences: boolean;
  /** Stored and returned without effect: there is no pod to place. */
  readonly placement: PodPlacement;
}

export type PodPlacement = Readonly<Partial<Record<Exclude<PlacementField, 'logLevel'>, unknown>>> & {
  readonly logLevel?: string;
};

export interface PrunerSpecContext {
  /** `metadata.name` must match if present. */
  readonly name: string;
  /** Allowed targets; the first is the default. */
  readonly targets: readonly RegistryTarget[];
}

export type PrunerSpecReading =
  | { readonly ok: true; readonly spec: PrunerSpec; readonly notes: readonly string[] }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

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
export function readPrunerSpec(input: unknown, context: PrunerSpecContext): PrunerSpecReading {
  const mistakes: Mistake[] = [];
  const notes: string[] = [];
  const fields = specFields(input, context.name, mistakes);
  fields.refuseOthers(SPEC_FIELDS);
  const keepYoungerThan = readKeepYoungerThan(fields, notes);
  const grace = readDuration(fields, 'grace', '24h');
  const limits = historyLimits(fields);
  const spec: PrunerSpec = {
    schedule: readScheduleText(fields),
    timeZone: readZone(fields),
    suspend: fields.boolean('suspend', false),
    keepTagRevisions: fields.integer('keepTagRevisions', { least: 0, most: 100_000 }, 3),
    keepYoungerThan: keepYoungerThan.text,
    keepYoungerThanMs: keepYoungerThan.milliseconds,
    startingDeadlineSeconds: fields.integer(
      'startingDeadlineSeconds',
      {
        least: 60,
        most: DAY_SECONDS,
        why: ': a schedule fires within the minute, and is given up after a day',
      },
      3600,
    ),
    ...limits,
    managementState: fields.oneOf('managementState', MANAGEMENT_STATES, 'Managed'),
    target: readTarget(fields, context.targets),
    dryRun: fields.boolean('dryRun', true),
    protectedTags: readPatterns(fields, 'protectedTags', 'v* or shop/*:stable'),
    protectedRepositories: readPatterns(fields, 'protectedRepositories', 'shop/*'),
    grace: grace.text,
    graceMs: grace.milliseconds,
    requireInUse: fields.boolean('requireInUse', false),
    maxDeletes: fields.integer('maxDeletes', { least: 1, most: 1_000_000_000 }, null),
    acknowledgeUnversioned: fields.boolean('acknowledgeUnversioned', false),
    ignoreInvalidImageReferences: fields.boolean('ignoreInvalidImageReferences', false),
    placement: readPlacement(fields),
  };
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, spec, notes };
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

/** Accepts a bare spec or a Kubernetes object. */
function specFields(input: unknown, name: string, mistakes: Mistake[]): SpecFields {
  const isWhole = isObject(input) && OBJECT_FIELDS.some((field) => Object.hasOwn(input, field));
  if (!isWhole) return new SpecFields(input, '', mistakes);
  const whole = new SpecFields(input, '', mistakes);
  whole.refuseOthers(OBJECT_FIELDS, { object: 'spec', fields: SPEC_FIELDS });
  const apiVersion = whole.text('apiVersion', '');
  if (apiVersion !== '' && !apiVersion.startsWith(`${API_GROUP}/`)) {
    whole.mistake('apiVersion', `is ${quoteValue(apiVersion)}, ${API_GROUP}/v1 is accepted`);
  }
  whole.oneOf('kind', [PRUNER_KIND], PRUNER_KIND);
  const named = whole.object('metadata').text('name', name);
  if (named !== name) {
    mistakes.push({
      pointer: '/metadata/name',
      detail: `is ${quoteValue(named)}, but the path names ${quoteValue(name)}`,
    });
  }
  if (!whole.has('spec')) whole.mistake('spec', 'is missing, it may be empty: {}');
  return whole.object('spec');
}

function readScheduleText(fields: SpecFields): string {
  // The cluster's operator also treats an empty schedule as midnight.
  const text = fields.text('schedule', DEFAULT_SCHEDULE) || DEFAULT_SCHEDULE;
  const reading = readSchedule(text);
  if (reading.ok) return reading.schedule.text;
  fields.mistake('schedule', reading.problem);
  return DEFAULT_SCHEDULE;
}

function readZone(fields: SpecFields): string {
  const reading = readTimeZone(fields.text('timeZone', 'UTC'));
  if (reading.ok) return reading.timeZone;
  fields.mistake('timeZone', reading.problem);
  return 'UTC';
}

/** In `history` as proposed, or at the top level as shipped. */
function historyLimits(fields: SpecFields): Record<(typeof HISTORY_FIELDS)[number], number> {
  const history = fields.object('history');
  history.refuseOthers(HISTORY_FIELDS);
  const [successfulJobsHistoryLimit, failedJobsHistoryLimit] = HISTORY_FIELDS.map((name) => {
    const range = { least: 1, most: 100, why: ': the last run must stay to tell how it went' };
    const inside = history.integer(name, range, null);
    const beside = fields.integer(name, range, null);
    if (inside !== null && beside !== null && inside !== beside) {
      fields.mistake(name, `is ${beside}, but ${history.pointerTo(name)} is ${inside}`);
    }
    return inside ?? beside ?? 3;
  }) as [number, number];
  return { successfulJobsHistoryLimit, failedJobsHistoryLimit };
}

function readTarget(fields: SpecFields, targets: readonly RegistryTarget[]): RegistryTarget {
  const [first = { bucket: '', prefix: '' }] = targets;
  const target = fields.object('target');
  target.refuseOthers(['bucket', 'prefix']);
  if (targets.length === 0) {
    fields.mistake('target', 'cannot be set: no registry bucket is named in the settings of this deployment');
    return first;
  }
  const bucket = target.text('bucket', first.bucket);
  const inBucket = targets.filter((granted) => granted.bucket === bucket);
  if (inBucket.length === 0) {
    const buckets = [...new Set(targets.map((granted) => granted.bucket))];
    target.mistake(
      'bucket',
      `is ${quoteValue(bucket)}, the settings of this deployment name ${joinInWords(buckets, 'or')}`,
    );
    return first;
  }
  const prefix = target.text('prefix', inBucket[0]!.prefix).replace(/^\/+|\/+$/g, '');
  const granted = inBucket.find((candidate) => candidate.prefix === prefix);
  if (granted !== undefined) return { bucket, prefix };
  const prefixes = inBucket.map((candidate) => quoteValue(candidate.prefix));
  target.mistake(
    'prefix',
    `is ${quoteValue(prefix)}, the settings of this deployment name ${joinInWords(prefixes, 'or')}`,
  );
  return first;
}

function readPatterns(fields: SpecFields, name: string, example: string): string[] {
  return fields.texts(name, {
    most: MOST_PATTERNS,
    problemIn: (text) =>
      PATTERN.test(text)
        ? null
        : `a name is accepted, with * and ? as in ${example}, of at most 300 characters`,
  });
}

/** Proposed as a map, shipped as a list. */
function readPlacement(fields: SpecFields): PodPlacement {
  const placement: Partial<Record<PlacementField, unknown>> = {};
  for (const name of PLACEMENT_FIELDS) {
    const value = fields.value(name);
    if (value === undefined) continue;
    const problem = problemInPlacement(name, value);
    if (problem === null) placement[name] = value;
    else fields.mistake(name, `is ${quoteValue(value)}, ${problem}`);
  }
  return placement as PodPlacement;
}

function problemInPlacement(name: PlacementField, value: unknown): string | null {
  if (name === 'logLevel') {
    return LOG_LEVELS.some((level) => level === value)
      ? null
      : `${joinInWords(LOG_LEVELS, 'or')} is accepted`;
  }
  if (isObject(value) || (name === 'tolerations' && Array.isArray(value))) return null;
  return name === 'tolerations' ? 'a list is accepted' : 'an object is accepted';
}

const DURATION_RULE = 'a duration such as 60m, 36h or 7d is accepted';
/** Ten years; to keep images longer, suspend the pruner. */
const LONGEST_MS = 3650 * 24 * 3600_000;
const NANOSECONDS_PER_MS = 1_000_000;
/** A number means nanoseconds, so a small one is likely a mistake. */
const LEAST_NANOSECONDS = 1_000_000_000;

export interface ReadDuration {
  readonly text: string;
  readonly milliseconds: number;
}

/** The newer field wins over the older one, which can be a number of nanoseconds. */
function readKeepYoungerThan(fields: SpecFields, notes: string[]): ReadDuration {
  const standard = '60m';
  if (fields.has('keepYoungerThanDuration')) {
    if (fields.has('keepYoungerThan')) {
      notes.push('keepYoungerThan is ignored, since keepYoungerThanDuration is given');
    }
    return readDuration(fields, 'keepYoungerThanDuration', standard);
  }
  const value = fields.value('keepYoungerThan');
  if (typeof value !== 'number') return readDuration(fields, 'keepYoungerThan', standard);
  const milliseconds = Math.ceil(value / NANOSECONDS_PER_MS);
  const isMeant = Number.isInteger(value) && (value === 0 || value >= LEAST_NANOSECONDS);
  if (isMeant && milliseconds <= LONGEST_MS) {
    return { text: durationText(milliseconds), milliseconds };
  }
  fields.mistake(
    'keepYoungerThan',
    `is ${value}; a number means nanoseconds, 0 or from ${LEAST_NANOSECONDS} to ten years, as text ${DURATION_RULE}`,
  );
  return { text: standard, milliseconds: parseDuration(standard)! };
}

export function readDuration(fields: SpecFields, name: string, standard: string): ReadDuration {
  const otherwise = { text: standard, milliseconds: parseDuration(standard)! };
  const value = fields.value(name);
  if (value === undefined) return otherwise;
  const milliseconds = typeof value === 'string' ? millisecondsOf(value) : null;
  if (milliseconds === null) {
    fields.mistake(name, `is ${quoteValue(value)}, ${DURATION_RULE}`);
    return otherwise;
  }
  if (milliseconds > LONGEST_MS) {
    fields.mistake(name, `is ${quoteValue(value)}, at most ${durationText(LONGEST_MS)} is accepted`);
    return otherwise;
  }
  return { text: value as string, milliseconds };
}

/** Accepts Cairn's format, or Go's with fractions. */
export function millisecondsOf(text: string): number | null {
  const own = parseDuration(text);
  if (own !== null) return own;
  const seconds = goDurationInSeconds(text);
  return seconds === null || seconds < 0 || text.startsWith('-') ? null : seconds * 1000;
}
