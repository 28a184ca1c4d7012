/** One number of a row: what was measured, what the specification asks for, and what it is a multiple of. */
export interface LoadFinding {
  readonly what: string;
  readonly measured: number;
  readonly unit:
    | 'req/s'
    | 'ms'
    | 's'
    | 'MB'
    | 'errors'
    | 'lost'
    | 'writes'
    | '%'
    | '×'
    | 'requests'
    | 'files';
  /** Without one it only informs. */
  readonly goal?: { readonly is: 'at least' | 'at most'; readonly value: number };
  /** Against something of the same run, which says more than a time on another machine. */
  readonly ratio?: { readonly value: number; readonly to: string };
}

export function finding(
  what: string,
  measured: number,
  unit: LoadFinding['unit'],
  against: Pick<LoadFinding, 'goal' | 'ratio'> = {},
): LoadFinding {
  return { what, measured, unit, ...against };
}

export interface LoadContext {
  /** Empty, the row's own, and removed afterwards. */
  readonly folder: string;
  /** Seconds in the place of the minutes that the specification asks for. */
  readonly isQuick: boolean;
  /** How long the soak lasts; 0 leaves it out. */
  readonly soakMinutes: number;
}

export interface LoadRow {
  run(context: LoadContext): Promise<readonly LoadFinding[]>;
}

export type LoadMessage = { readonly findings: readonly LoadFinding[] } | { readonly error: string };

export function isHeld({ measured, goal }: LoadFinding): boolean | null {
  if (!goal) return null;
  return goal.is === 'at least' ? measured >= goal.value : measured <= goal.value;
}

export const atMost = (value: number): LoadFinding['goal'] & object => ({ is: 'at most', value });
export const atLeast = (value: number): LoadFinding['goal'] & object => ({ is: 'at least', value });
