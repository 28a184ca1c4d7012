export interface FindingBlock {
  readonly kind: 'finding';
  readonly effect: string;
  readonly title: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly advice: readonly string[];
  readonly commands: readonly string[];
  readonly url: string | null;
}

export interface StepBlock {
  readonly text: string;
  readonly commands: readonly string[];
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Indexes of right-aligned columns. */
  readonly numbers?: readonly number[];
  /** Indexes of columns that are useless if truncated. */
  readonly whole?: readonly number[];
}

/** Lines that never wrap, with rows and items indented below them. */
export interface LinesBlock {
  readonly kind: 'lines';
  readonly lines: readonly string[];
  readonly table?: Table | null;
  readonly items?: readonly string[];
}

/** Part of a report. Its text is untrusted: each renderer must escape it. */
export type Block =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'subheading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | LinesBlock
  | (Table & { readonly kind: 'table' })
  | { readonly kind: 'command'; readonly about: string; readonly command: string }
  | FindingBlock
  | { readonly kind: 'steps'; readonly steps: readonly StepBlock[] };

export function lines(...texts: readonly string[]): Block {
  return { kind: 'lines', lines: texts };
}

/** Rows or items below a title, with the number left out; empty if there are none. */
export function listing(title: string, total: number, below: Table | readonly string[]): Block[] {
  const [table, items] = 'rows' in below ? [below, []] : [null, below];
  const listed = (table?.rows ?? items).length;
  if (listed === 0) return [];
  const more = total > listed ? [`and ${total - listed} more`] : [];
  return [{ kind: 'lines', lines: [title], table, items: [...items, ...more] }];
}
