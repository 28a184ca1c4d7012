export interface Flag {
  /** A `list` may be given several times, or once with commas. */
  readonly kind: 'switch' | 'text' | 'list';
  readonly short?: string;
  /** What stands for its value in help: `URL`. */
  readonly value?: string;
  /** All that are accepted, where they are few. */
  readonly values?: readonly string[];
  /** The variable that is read when the flag is not given. */
  readonly variable?: string;
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
