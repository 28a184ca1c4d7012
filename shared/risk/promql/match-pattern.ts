import type { CharSet, Pattern } from './pattern.ts';

/** Case of ASCII letters, and the two characters beyond that fold to them. */
function variantsOf(code: number): readonly number[] {
  const lower = code >= 65 && code <= 90 ? code + 32 : code === 0x17f ? 115 : code === 0x212a ? 107 : code;
  if (lower < 97 || lower > 122) return [code];
  const further = lower === 115 ? [0x17f] : lower === 107 ? [0x212a] : [];
  return [lower, lower - 32, ...further];
}

function isIn({ ranges, negated, parts }: CharSet, codes: readonly number[]): boolean {
  const isHit =
    parts === undefined
      ? ranges.some(([from, to]) => codes.some((code) => code >= from && code <= to))
      : parts.some((part) => isIn(part, codes));
  return isHit !== negated;
}

/**
 * Where the whole value and each group begin and end, or null. Remembers each place of each step, so that nothing is tried
 * twice; `spend` gets the number of steps.
 */
export function matchPattern(
  pattern: Pattern,
  value: string,
  spend: (steps: number) => void,
): readonly (string | undefined)[] | null {
  const { steps, ignoresCase } = pattern;
  const chars = Array.from(value);
  const codes = chars.map((char) => char.codePointAt(0)!);
  const width = chars.length + 1;
  const seen = new Uint8Array(steps.length * width);
  const slots: (number | undefined)[] = [];
  // Ways not tried yet, and slots to set back before.
  const ways: (readonly [number, number] | readonly [number, number | undefined, 'slot'])[] = [[0, 0]];
  let tried = seen.length >> 5;
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    if (way[2] === 'slot') {
      slots[way[0]] = way[1];
      continue;
    }
    let [step, at] = way as readonly [number, number];
    for (;;) {
      const cell = step * width + at;
      if (seen[cell] === 1) break;
      seen[cell] = 1;
      tried++;
      const now = steps[step]!;
      if (now.type === 'match') {
        if (at < chars.length) break;
        spend(tried);
        return groupsOf(pattern.groups, slots, chars);
      }
      if (now.type === 'split') {
        if (now.second !== now.first) ways.push([now.second, at]);
        step = now.first;
        continue;
      }
      if (now.type === 'char') {
        if (at === chars.length || !isIn(now.set, ignoresCase ? variantsOf(codes[at]!) : [codes[at]!])) break;
        at++;
      } else if (now.type === 'save') {
        ways.push([now.slot, slots[now.slot], 'slot']);
        slots[now.slot] = at;
      } else if (at !== (now.at === 'start' ? 0 : chars.length)) {
        break;
      }
      step++;
    }
  }
  spend(tried);
  return null;
}

function groupsOf(
  count: number,
  slots: readonly (number | undefined)[],
  chars: readonly string[],
): readonly (string | undefined)[] {
  const groups = Array.from({ length: count }, (_, index) => {
    const start = slots[index * 2 + 2];
    return start === undefined ? undefined : chars.slice(start, slots[index * 2 + 3]).join('');
  });
  return [chars.join(''), ...groups];
}
