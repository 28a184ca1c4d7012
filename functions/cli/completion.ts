import type { CommandDescription } from '../command-line/flags.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Completes commands, flags and enumerated values; `name` is the name of the program. */
export function completionScript(
  shell: Shell,
  name: string,
  commands: readonly CommandDescription[],
): string {
  switch (shell) {
    case 'bash':
      return bash(name, commands);
    case 'zsh':
      return `#compdef ${name}\nautoload -U +X bashcompinit && bashcompinit\n${bash(name, commands)}`;
    default:
      return fish(name, commands);
  }
}

function bash(name: string, commands: readonly CommandDescription[]): string {
  const cases = commands.map((command) => {
    const { flags, argumentValues = [] } = command;
    const words = [...Object.keys(flags).map((flag) => `--${flag}`), '--help', ...argumentValues].join(' ');
    return `    "${command.name}") words="${words}" ;;`;
  });
  const values = valueCases(commands).map(([flag, list]) => `    ${flag}) words="${list.join(' ')}" ;;`);
  return `_${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  local command="\${COMP_WORDS[1]}"
  [ "$command" = prune ] && [ "$COMP_CWORD" -gt 2 ] && command="prune \${COMP_WORDS[2]}"
  case "$COMP_CWORD $command" in
    1\\ *) words="${topWords(commands).join(' ')}" ;;
    2\\ prune) words="${secondWords(commands).join(' ')}" ;;
    *) case "$command" in
${cases.join('\n')}
    esac ;;
  esac
  case "$before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _${name} ${name}
`;
}

function fish(name: string, commands: readonly CommandDescription[]): string {
  const lines = commands.flatMap((command) => {
    const [first, second] = command.name.split(' ') as [string, string | undefined];
    const seen = `__fish_seen_subcommand_from ${second ?? first}`;
    const entry =
      second === undefined
        ? `complete -c ${name} -n __fish_use_subcommand -a ${first} -d '${command.summary}'`
        : `complete -c ${name} -n '__fish_seen_subcommand_from ${first}' -a ${second} -d '${command.summary}'`;
    const flags = Object.entries(command.flags).map(([flag, { kind, values, short, bare }]) => {
      const value =
        kind === 'switch' || bare !== undefined ? '' : values ? ` -x -a '${values.join(' ')}'` : ' -r';
      return `complete -c ${name} -n '${seen}' -l ${flag}${short === undefined ? '' : ` -s ${short}`}${value}`;
    });
    return [entry, ...flags];
  });
  return `${lines.join('\n')}\n`;
}

function topWords(commands: readonly CommandDescription[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!)), '--help', '--version'];
}

function secondWords(commands: readonly CommandDescription[]): string[] {
  return commands.flatMap(({ name }) => name.split(' ').slice(1));
}

/** Merges the values of a flag across commands. */
function valueCases(commands: readonly CommandDescription[]): [string, string[]][] {
  const values = new Map<string, Set<string>>();
  for (const { flags } of commands) {
    for (const [flag, { values: known = [], short }] of Object.entries(flags)) {
      if (known.length === 0) continue;
      const key = short === undefined ? `--${flag}` : `-${short}|--${flag}`;
      values.set(key, new Set([...(values.get(key) ?? []), ...known]));
    }
  }
  return Array.from(values, ([flag, known]) => [flag, [...known]]);
}
