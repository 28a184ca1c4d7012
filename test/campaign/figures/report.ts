import { stripVTControlCharacters } from 'node:util';
import type { Part } from './parts.ts';

export interface PartResult {
  readonly part: Part;
  /** Its standard output. */
  readonly told: string;
  /** Null when it was ended from outside. */
  readonly exitCode: number | null;
  readonly minutes: number;
}

export interface Circumstances {
  readonly commit: string;
  readonly isClean: boolean;
  readonly machine: string;
  readonly startedAt: string;
  readonly isQuick: boolean;
}

/** The lines of a part that tell of a number that is not as specified. */
export function notHeld({ told }: Pick<PartResult, 'told'>): string[] {
  return told
    .split('\n')
    .filter((line) => /\bnot held\b/.test(line))
    .map((line) => line.trim().replace(/\s{2,}/g, ', '));
}

/** One page of Markdown with every figure of one run. */
export function reportOf(results: readonly PartResult[], around: Circumstances): string {
  const failed = results.filter(({ exitCode }) => exitCode !== 0).map(({ part }) => part.name);
  const missed = results.flatMap((result) => notHeld(result).map((line) => `- ${result.part.name}: ${line}`));
  const rows = results.map(({ part, exitCode, minutes }) => {
    const end = exitCode === 0 ? 'ended well' : `ended with ${exitCode ?? 'a signal'}`;
    return `| ${part.name} | ${part.what} | \`${part.command.join(' ')}\` | ${minutes.toFixed(1)} | ${end} |`;
  });
  return [
    '# Figures',
    '',
    'Every figure of one run of `npm run figures`, as its parts told them. [reliability.md](reliability.md) and',
    '[load.md](load.md) say what they mean.',
    '',
    `- Commit: ${around.commit}${around.isClean ? '' : ', with changes that are not in it'}`,
    `- Begun: ${around.startedAt}`,
    `- Machine: ${around.machine}`,
    ...(around.isQuick ? ['- **A quick run, not for comparison.**'] : []),
    '',
    '| part | what | command | minutes | end |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    failed.length === 0 ? 'Every part ended well.' : `Did not end well: ${failed.join(', ')}.`,
    ...(missed.length === 0 ? ['Every number that is specified held.'] : ['Not held:', '', ...missed]),
    ...results.flatMap(({ part, told }) => ['', `## ${part.name}`, '', '```', shown(told), '```']),
    '',
  ].join('\n');
}

/** Without the progress of a tool that writes it among its results, and without what a terminal makes colours of. */
function shown(told: string): string {
  const plain = stripVTControlCharacters(told);
  const summary = plain.search(/^=+ SUMMARY =+$/m);
  return plain.slice(summary === -1 ? 0 : summary).trim();
}
