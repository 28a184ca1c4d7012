import { durationText, parseDuration } from '../../../text/duration.ts';
import { showValue } from '../../../text/quote.ts';
import { goDurationInSeconds } from '../../schedule/go-duration.ts';
import type { SpecFields } from '../../../input/input-value.ts';

const DURATION_RULE = 'a duration such as 60m, 36h or 7d is accepted';
/** Ten years: whoever means for ever suspends the pruner. */
const LONGEST_MS = 3650 * 24 * 3600_000;
const NANOSECONDS_PER_MS = 1_000_000;
/** A number is nanoseconds, so a small one was meant as something else. */
const LEAST_NANOSECONDS = 1_000_000_000;

export interface ReadDuration {
  readonly text: string;
  readonly milliseconds: number;
}

/** A duration by its newer name wins over one by the older name, which may be a number of nanoseconds. */
export function readKeepYoungerThan(fields: SpecFields, notes: string[]): ReadDuration {
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
    fields.mistake(name, `is ${showValue(value)}, ${DURATION_RULE}`);
    return otherwise;
  }
  if (milliseconds > LONGEST_MS) {
    fields.mistake(name, `is ${showValue(value)}, at most ${durationText(LONGEST_MS)} is accepted`);
    return otherwise;
  }
  return { text: value as string, milliseconds };
}

/** Of our own form, or of Go's, which has fractions; null for what is neither. */
export function millisecondsOf(text: string): number | null {
  const own = parseDuration(text);
  if (own !== null) return own;
  const seconds = goDurationInSeconds(text);
  return seconds === null || seconds < 0 || text.startsWith('-') ? null : seconds * 1000;
}
