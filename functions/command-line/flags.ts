export interface Flag {
  /** A `list` accepts several flags, or one value with commas. */
  readonly kind: 'switch' | 'text' | 'list';
  readonly short?: string;
  /** Placeholder in help: `URL`. */
  readonly value?: string;
  /** All accepted values, if there are few. */
  readonly values?: readonly string[];
  /** Returns the mistake for an invalid value, or null. */
  readonly refuse?: (value: string, name: string) => string | null;
  /** Environment variable that is the default. */
  readonly variable?: string;
  /** Value of the flag alone. Only a number after it counts as its value. */
  readonly bare?: string;
  /** Value without the flag and its variable. */
  readonly default?: string;
  /** Empty for a flag that the help of another flag explains. */
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface CommandSyntax {
  /** Includes its group: `prune history`. */
  readonly name: string;
  /** Maximum number of arguments. */
  readonly most: number;
  readonly flags: Flags;
  /** Each mistake refers to `--help`; `cairn` prints one reference for all. */
  readonly isScript?: boolean;
}

export interface CommandDescription extends CommandSyntax {
  readonly summary: string;
  /** Text after the name: `FROM [TO]`. */
  readonly arguments: string;
  /** Values of the first argument, if there are few. */
  readonly argumentValues?: readonly string[];
  readonly about: string;
  readonly examples: readonly string[];
}

/** `accepted` ends the sentence: `a whole number from 1 is`. */
export function refuseUnless(
  isAccepted: (value: string) => boolean,
  accepted: string,
): NonNullable<Flag['refuse']> {
  return (value, name) => (isAccepted(value) ? null : `--${name} "${value}" is not accepted, ${accepted}`);
}

export function refusePort(value: string): string | null {
  const isPort = /^\d{1,5}$/.test(value) && Number(value) <= 65_535;
  return isPort ? null : `--port "${value}" is not a port, a number from 0 to 65535 is accepted`;
}
