import { describe, expect, it } from 'vitest';
import { givenOf, mistakesOf } from '../../helpers/cli/scripts.ts';
import { LOAD_ROWS } from '../load/rows.ts';
import { stagesOf } from './parts.ts';
import { type Circumstances, notHeld, type PartResult, reportOf } from './report.ts';
import { FIGURES, figuresFlags } from './run.ts';

const whole = { isQuick: false, soakMinutes: 60 };
const partsOf = (flags: typeof whole) => stagesOf(flags).flat(2);

const around: Circumstances = {
  commit: 'c0ffee',
  isClean: true,
  machine: 'two cores',
  startedAt: '2026-11-17T12:00:00.000Z',
  isQuick: false,
};

function resultOf(told: string, exitCode: number | null = 0): PartResult {
  const part = { name: 'load', what: 'rows', command: ['npm', 'run', 'load'] } as const;
  return { part, told, exitCode, minutes: 1.25 };
}

describe('the parts', () => {
  it('are every campaign, with no part that goes by the clock beside another', () => {
    const stages = stagesOf(whole).map((stage) => stage.map((lane) => lane.map(({ name }) => name)));
    expect(stages).toEqual([[['soak'], ['fault', 'fuzz', 'schemathesis']], [['load']], [['bench']]]);
  });

  it('leave no row of load out', () => {
    const [soak, load] = ['soak', 'load'].map((name) => partsOf(whole).find((part) => part.name === name)!);
    expect(soak!.command.join(' ')).toBe('npm run -s load -- --only L9 --soak 60');
    expect(load!.command.join(' ')).toBe('npm run -s load');
    expect(LOAD_ROWS.some(({ name }) => name === 'L9')).toBe(true);
  });

  it('are small in a quick run', () => {
    const quick = partsOf({ isQuick: true, soakMinutes: 1 }).map(({ command }) => command.join(' '));
    expect(quick).toContain('npm run -s fault -- --smoke');
    expect(quick).toContain('npm run -s load -- --quick');
  });
});

describe('the report', () => {
  it('has the output of each part and its source', () => {
    const report = reportOf([resultOf('ROW  WHAT\nL1   reads\n')], around);
    expect(report).toContain('- Commit: c0ffee\n- Begun: 2026-11-17T12:00:00.000Z\n- Machine: two cores\n');
    expect(report).toContain('| load | rows | `npm run load` | 1.3 | ended well |');
    expect(report).toContain('Every part ended well.\nEvery number that is specified held.');
    expect(report).toContain('## load\n\n```\nROW  WHAT\nL1   reads\n```');
  });

  it('lists failures and missed goals first', () => {
    const told = 'L1  reads  5.68 ms  ≤ 5 ms  not held\nL2  more  1 ms  ≤ 5 ms  held';
    expect(notHeld({ told })).toEqual(['L1, reads, 5.68 ms, ≤ 5 ms, not held']);
    const report = reportOf([resultOf(told, 1), resultOf('', null)], { ...around, isClean: false });
    expect(report).toContain('c0ffee, with changes that are not in it');
    expect(report).toContain('Did not end well: load, load.\nNot held:\n\n- load: L1, reads');
    expect(report).toContain('ended with a signal');
  });

  it('has only the summary of a tool that also prints progress', () => {
    const told = '\u001B[1mfuzzing\u001B[0m ...\n\n====== SUMMARY ======\n\nTest cases: 7';
    expect(reportOf([resultOf(told)], around)).toContain('```\n====== SUMMARY ======\n\nTest cases: 7\n```');
  });
});

describe('the flags', () => {
  it('have defaults', () => {
    const flagsOf = (...argv: readonly string[]) => figuresFlags(givenOf(FIGURES, argv));
    expect(flagsOf()).toEqual({ isQuick: false, soakMinutes: 60, output: '.tmp/figures/report.md' });
    expect(flagsOf('--quick')).toMatchObject({ isQuick: true, soakMinutes: 1 });
    expect(flagsOf('--soak', '5', '--output', 'x.md')).toMatchObject({ soakMinutes: 5, output: 'x.md' });
  });

  it.each([['--soak', '0'], ['--sock', '5'], ['more']])('report what is wrong with %s', (...argv) => {
    expect(mistakesOf(FIGURES, argv)).not.toEqual([]);
  });
});
