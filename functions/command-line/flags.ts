export interface Flag {
  /** A `list` may be given several times, or once with commas. */
  readonly kind: 'switch' | 'text' | 'list';
  readonly short?: string;
  /** What stands for its value in help: `URL`. */
  readonly value?: string;
  /** All that are accepted, where they are few. */
  readonly values?: readonly string[];
  /** The mistake for a value that is not accepted; null for one that is. */
  readonly refuse?: (value: string, name: string) => string | null;
  /** The variable that is read when the flag is not given. */
  readonly variable?: string;
  /** The value when neither the flag nor its variable is given. */
  readonly default?: string;
  /** Empty for a flag that the help of another one explains. */
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What a command line is read by. */
export interface CommandSyntax {
  /** With the name of its group: `prune history`. */
  readonly name: string;
  /** How many arguments there may be. */
  readonly most: number;
  readonly flags: Flags;
  /** Its mistakes refer to `--help` one by one; those of `cairn` do so together. */
  readonly isScript?: boolean;
}

/** What help and completion show of a command. */
export interface CommandDescription extends CommandSyntax {
  readonly summary: string;
  /** What follows the name: `FROM [TO]`. */
  readonly arguments: string;
  /** Those that the first argument may be, where they are few. */
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
