/** One character of a value. */
export interface CharSet {
  readonly ranges: readonly (readonly [number, number])[];
  readonly negated: boolean;
  /** Of a class: each decides for itself. */
  readonly parts?: readonly CharSet[];
}

type Node =
  | { readonly type: 'char'; readonly set: CharSet }
  | { readonly type: 'sequence' | 'either'; readonly of: readonly Node[] }
  | { readonly type: 'group'; readonly of: Node; readonly index: number }
  | { readonly type: 'edge'; readonly at: 'start' | 'end' }
  | {
      readonly type: 'repeat';
      readonly of: Node;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    };

export type Step =
  | { readonly type: 'char'; readonly set: CharSet }
  | { readonly type: 'edge'; readonly at: 'start' | 'end' }
  | { readonly type: 'save'; readonly slot: number }
  | { readonly type: 'split'; first: number; second: number }
  | { readonly type: 'match' };

/** A regular expression as steps: they take time in proportion to a value, even of a hostile pattern. */
export interface Pattern {
  readonly steps: readonly Step[];
  readonly groups: number;
  readonly ignoresCase: boolean;
  /** All values that it matches, if it is an alternation of literals. */
  readonly literals: readonly string[] | null;
}

export const LONGEST_VALUE = 1024;
const MOST_STEPS = 1000;
const DEEPEST_GROUP = 32;

const DIGIT: CharSet = { ranges: [[48, 57]], negated: false };
const WORD: CharSet = {
  ranges: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  negated: false,
};
// Without the vertical tab, which JavaScript counts as space.
const SPACE: CharSet = {
  ranges: [
    [9, 10],
    [12, 13],
    [32, 32],
  ],
  negated: false,
};
const ANY: CharSet = { ranges: [[10, 10]], negated: true };
const CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: { ...DIGIT, negated: true },
  W: { ...WORD, negated: true },
  S: { ...SPACE, negated: true },
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

class NotSupported extends Error {}

/** A subset of RE2 whose meaning is the same wherever it runs; says what else there is. */
export function parsePattern(text: string): Pattern | { readonly unsupported: string } {
  const ignoresCase = text.startsWith('(?i)');
  const reader = new Reader(ignoresCase ? text.slice(4) : text);
  try {
    if (text.length > LONGEST_VALUE) throw new NotSupported('a pattern of that length');
    // Other scripts have their own rules for case.
    if (ignoresCase && /[^\0-\x7f]/.test(text)) throw new NotSupported('(?i) with other letters than a to z');
    const root = reader.readAlternatives(0);
    if (!reader.isAtEnd()) throw new NotSupported('`)` without a group');
    const steps: Step[] = [];
    emit(root, steps);
    steps.push({ type: 'match' });
    return { steps, groups: reader.groups, ignoresCase, literals: ignoresCase ? null : literalsOf(root) };
  } catch (error) {
    if (error instanceof NotSupported) return { unsupported: error.message };
    throw error;
  }
}

class Reader {
  groups = 0;
  private at = 0;
  private readonly chars: readonly string[];

  constructor(text: string) {
    this.chars = Array.from(text);
  }

  isAtEnd(): boolean {
    return this.at === this.chars.length;
  }

  readAlternatives(depth: number): Node {
    if (depth > DEEPEST_GROUP) throw new NotSupported('groups of that depth');
    const alternatives = [this.readSequence(depth)];
    while (this.take('|')) alternatives.push(this.readSequence(depth));
    return alternatives.length === 1 ? alternatives[0]! : { type: 'either', of: alternatives };
  }

  private take(char: string): boolean {
    if (this.chars[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private readSequence(depth: number): Node {
    const items: Node[] = [];
    while (!this.isAtEnd() && this.chars[this.at] !== '|' && this.chars[this.at] !== ')') {
      items.push(this.readRepeated(this.readAtom(depth)));
    }
    return { type: 'sequence', of: items };
  }

  private readAtom(depth: number): Node {
    const char = this.chars[this.at++]!;
    if (char === '(') return this.readGroup(depth);
    if (char === '[') return { type: 'char', set: this.readClass() };
    if (char === '.') return { type: 'char', set: ANY };
    if (char === '^' || char === '$') return { type: 'edge', at: char === '^' ? 'start' : 'end' };
    if ('*+?{'.includes(char)) throw new NotSupported(`\`${char}\` without something before it`);
    return { type: 'char', set: char === '\\' ? this.readEscape() : only(char.codePointAt(0)!) };
  }

  private readGroup(depth: number): Node {
    let index: number | null = null;
    if (!this.take('?')) index = ++this.groups;
    else if (!this.take(':')) throw new NotSupported('`(?`');
    const inner = this.readAlternatives(depth + 1);
    if (!this.take(')')) throw new NotSupported('a group without an end');
    return index === null ? inner : { type: 'group', of: inner, index };
  }

  private readEscape(): CharSet {
    const char = this.chars[this.at++];
    if (char === undefined) throw new NotSupported('`\\` at the end');
    if (Object.hasOwn(CLASSES, char)) return CLASSES[char]!;
    if (Object.hasOwn(CONTROLS, char)) return only(CONTROLS[char]!);
    if (/[a-zA-Z0-9]|[^\0-\x7f]/.test(char)) throw new NotSupported(`\`\\${char}\``);
    return only(char.codePointAt(0)!);
  }

  private readClass(): CharSet {
    const negated = this.take('^');
    const parts: CharSet[] = [];
    while (parts.length === 0 || this.chars[this.at] !== ']') {
      const first = this.readClassChar();
      const isRange = this.chars[this.at] === '-' && (this.chars[this.at + 1] ?? ']') !== ']';
      if (isRange) this.at++;
      const last = isRange ? this.readClassChar() : first;
      const from = codeOf(first);
      const to = codeOf(last);
      if (isRange && (from === null || to === null || from > to))
        throw new NotSupported('a range of a class');
      parts.push(isRange ? { ranges: [[from!, to!]], negated: false } : first);
    }
    this.at++;
    return { ranges: [], negated, parts };
  }

  private readClassChar(): CharSet {
    const char = this.chars[this.at++];
    if (char === undefined) throw new NotSupported('a class without an end');
    if (char === '[' && this.chars[this.at] === ':') throw new NotSupported('`[:`');
    return char === '\\' ? this.readEscape() : only(char.codePointAt(0)!);
  }

  private readRepeated(of: Node): Node {
    const bounds = this.readBounds();
    if (bounds === null) return of;
    if (hasRepeat(of)) throw new NotSupported('a repetition of a repetition');
    const isLazy = this.take('?');
    if ('*+?{'.includes(this.chars[this.at] ?? ' ')) throw new NotSupported('a repetition of a repetition');
    return { type: 'repeat', of, min: bounds[0], max: bounds[1], isLazy };
  }

  private readBounds(): readonly [number, number] | null {
    if (this.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.take('?')) return [0, 1];
    if (this.chars[this.at] !== '{') return null;
    const rest = this.chars.slice(this.at, this.at + 12).join('');
    const [all, min, comma, max] = /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(rest) ?? [];
    if (all === undefined) throw new NotSupported('`{`');
    this.at += all.length;
    const least = Number(min);
    const most = max === '' ? (comma === '' ? least : Number.POSITIVE_INFINITY) : Number(max);
    if (least > most || least > MOST_STEPS || (comma === '' && max !== '')) throw new NotSupported('`{`');
    return [least, most];
  }
}

function only(code: number): CharSet {
  return { ranges: [[code, code]], negated: false };
}

/** Of a set with one character. */
function codeOf({ ranges, negated, parts }: CharSet): number | null {
  if (negated) return null;
  if (parts) return parts.length === 1 ? codeOf(parts[0]!) : null;
  return ranges.length === 1 && ranges[0]![0] === ranges[0]![1] ? ranges[0]![0] : null;
}

function hasRepeat(node: Node): boolean {
  if (node.type === 'repeat') return true;
  if (node.type === 'group') return hasRepeat(node.of);
  return 'of' in node && node.of.some(hasRepeat);
}

function literalsOf(root: Node): readonly string[] | null {
  const texts = (root.type === 'either' ? root.of : [root]).map((sequence) => {
    if (sequence.type !== 'sequence') return null;
    const codes = sequence.of.map((node) => (node.type === 'char' ? codeOf(node.set) : null));
    return codes.includes(null) ? null : String.fromCodePoint(...(codes as number[]));
  });
  return texts.includes(null) ? null : (texts as string[]);
}

function emit(node: Node, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new NotSupported('a pattern of that size');
  switch (node.type) {
    case 'char':
    case 'edge':
      steps.push(node);
      return;
    case 'sequence':
      for (const item of node.of) emit(item, steps);
      return;
    case 'either':
      emitEither(node.of, steps);
      return;
    case 'group':
      steps.push({ type: 'save', slot: node.index * 2 });
      emit(node.of, steps);
      steps.push({ type: 'save', slot: node.index * 2 + 1 });
      return;
    case 'repeat':
      for (let count = 0; count < node.min; count++) emit(node.of, steps);
      if (node.max === Number.POSITIVE_INFINITY) emitLoop(node.of, node.isLazy, steps);
      else for (let count = node.min; count < node.max; count++) emitOptional(node.of, node.isLazy, steps);
  }
}

function emitEither(alternatives: readonly Node[], steps: Step[]): void {
  const [first, ...others] = alternatives;
  if (others.length === 0) {
    emit(first!, steps);
    return;
  }
  const split = addSplit(steps);
  emit(first!, steps);
  const over = addSplit(steps);
  split.second = steps.length;
  emitEither(others, steps);
  over.first = over.second = steps.length;
}

function emitOptional(of: Node, isLazy: boolean, steps: Step[]): void {
  const split = addSplit(steps);
  emit(of, steps);
  split.second = steps.length;
  if (isLazy) swap(split);
}

function emitLoop(of: Node, isLazy: boolean, steps: Step[]): void {
  const start = steps.length;
  const split = addSplit(steps);
  emit(of, steps);
  const back = addSplit(steps);
  back.first = back.second = start;
  split.second = steps.length;
  if (isLazy) swap(split);
}

/** Tries the next step first, and what `second` becomes after it. */
function addSplit(steps: Step[]): Step & { type: 'split' } {
  const split = { type: 'split' as const, first: steps.length + 1, second: steps.length + 1 };
  steps.push(split);
  return split;
}

function swap(split: Step & { type: 'split' }): void {
  [split.first, split.second] = [split.second, split.first];
}
