/** One number that a row of the bench found. */
export interface Finding {
  readonly what: string;
  readonly measured: number;
  readonly unit: Unit;
  /** The most that it may be; a finding without a goal only informs. */
  readonly goal?: number;
}

/** `×` is a ratio; times are never told, as they say more about the machine than about the code. */
export type Unit = '×' | 'calls' | 'entries' | 'MB';

/** What one thing costs against another. */
export function ratio(what: string, measured: number, goal?: number): Finding {
  return { what, measured, unit: '×', ...(goal !== undefined && { goal }) };
}

export interface Row {
  /** Chosen by `--only`. */
  readonly name: string;
  /** `folder` is empty, the row's own, and removed afterwards. */
  run(folder: string): Promise<readonly Finding[]>;
}

/** What the process of a row tells the one that started it, once. */
export type RowMessage = { readonly findings: readonly Finding[] } | { readonly error: string };
