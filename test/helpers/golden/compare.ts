import { jsonOf, type Recording, type Recordings } from './recordings.ts';

const MOST_LINES = 6;
const LONGEST_LINE = 200;

/** Printable differences of one group, one entry per request. */
export function compareGroup(
  group: string,
  recorded: Recordings,
  current: Recordings,
  mask: (recording: Recording) => Recording,
): string[] {
  const missing = [...recorded.keys()]
    .filter((id) => !current.has(id))
    .map((id) => `${group}/${id}\n  recorded, but there is no such request`);
  const differing = [...current].flatMap(([id, response]) => {
    const former = recorded.get(id);
    if (!former) return [`${group}/${id}\n  not recorded`];
    const lines = differences(mask(former), mask(response));
    return lines.length === 0 ? [] : [[`${group}/${id}`, ...lines].join('\n  ')];
  });
  return [...missing, ...differing];
}

function differences(former: Recording, current: Recording): string[] {
  const names = [...new Set([...Object.keys(former.headers), ...Object.keys(current.headers)])];
  return [
    ...lineOf('status', String(former.status), String(current.status)),
    ...names.flatMap((name) => lineOf(name, former.headers[name], current.headers[name])),
    ...bodyDifference(former.body, current.body),
  ];
}

function lineOf(name: string, former: string | undefined, current: string | undefined): string[] {
  return former === current ? [] : [`${name}: ${former ?? '(none)'} -> ${current ?? '(none)'}`];
}

function bodyDifference(former: string, current: string): string[] {
  if (former === current) return [];
  const [before, after] = [linesOf(former), linesOf(current)];
  const start = before.findIndex((line, at) => line !== after[at]);
  // The JSON is equal, but its bytes differ: order of members, or spaces.
  if (start === -1 && before.length >= after.length) return rawDifference(former, current);
  const from = start === -1 ? before.length : start;
  // Omits the equal rest.
  let same = 0;
  while (same < Math.min(before.length, after.length) - from && before.at(-1 - same) === after.at(-1 - same))
    same++;
  const shown = (lines: readonly string[], sign: string): string[] => {
    const changed = lines.slice(from, lines.length - same);
    const more = changed.length > MOST_LINES ? [`${sign} … ${changed.length - MOST_LINES} more lines`] : [];
    return [...changed.slice(0, MOST_LINES).map((line) => `${sign} ${line.slice(0, LONGEST_LINE)}`), ...more];
  };
  return [`body, line ${from + 1}:`, ...shown(before, '-'), ...shown(after, '+')];
}

function rawDifference(former: string, current: string): string[] {
  let at = 0;
  while (former[at] === current[at]) at++;
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return [`body, character ${at}:`, `- ${around(former)}`, `+ ${around(current)}`];
}

/** JSON with one value per line. */
export function linesOf(body: string): string[] {
  const json = jsonOf(body);
  return (json === undefined ? body : JSON.stringify(json, null, 2)).split('\n');
}
