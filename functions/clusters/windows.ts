import {
  type MaintenanceWindows,
  readWindows,
  type WindowsMistake,
} from '@cairn/shared/plan/windows/maintenance-windows';
import { sentName } from '../http/aliases.ts';
import type { SentFields } from '../http/endpoint.ts';
import { invalidRequest, pointerTo, truncateIfGiven } from '../http/request.ts';
import type { ErrorDetail } from '../runtime/errors.ts';

const FIELDS = { windows: 'windows', timeZone: 'time_zone' } as const satisfies Record<
  WindowsMistake['field'],
  string
>;

/** Reads maintenance windows from query or body; null if there are none. */
export function requestedWindows(
  asked: { readonly windows?: unknown; readonly time_zone?: unknown },
  query: SentFields,
): MaintenanceWindows | null {
  const { windows, time_zone: timeZone } = asked;
  const fault = ({ field, index, problem }: WindowsMistake): ErrorDetail => {
    const name = sentName(asked, FIELDS[field]);
    return query[name] === undefined
      ? { pointer: pointerTo(index === null ? [name] : [name, index]), detail: problem }
      : { parameter: name, value: truncateIfGiven(query[name]), detail: problem };
  };
  if (windows !== undefined) {
    const reading = readWindows({ windows, timeZone });
    if (reading.ok) return reading.windows;
    throw invalidRequest(reading.mistakes.map(fault));
  }
  if (timeZone === undefined) return null;
  const problem = 'is the time zone of windows, which are not given';
  throw invalidRequest([fault({ field: 'timeZone', index: null, problem })]);
}
