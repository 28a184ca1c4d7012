import { describe, expect, it } from 'vitest';
import { readFaultFlags } from './flags.ts';

describe('the flags of the fault campaign', () => {
  it('are every campaign from the first seed on when nothing is said', () => {
    expect(readFaultFlags([])).toMatchObject({
      flags: { isSmoke: false, campaign: null, seeds: null, first: 1, engine: 'dynalite', again: null },
    });
    expect(readFaultFlags(['--help'])).toEqual({ kind: 'help' });
  });

  it.each([
    [['--seed', '7'], { do: 'trial', world: 'sync', kind: 'any', seed: 7 }],
    [
      ['--seed', '7', '--campaign', 'clock', '--world', 'clusters'],
      { do: 'trial', world: 'clusters', kind: 'clock', seed: 7 },
    ],
    [['--seed', '7', '--campaign', 'kill'], { do: 'kill', seed: 7 }],
    [['--seed', '7', '--campaign', 'blast-radius'], { do: 'blast', seed: 7 }],
    [
      ['--replay', 'trial world=sync kind=any seed=9 without=1,2'],
      { do: 'trial', world: 'sync', kind: 'any', seed: 9, without: [1, 2] },
    ],
  ])('%j is one unit again', (argv, again) => {
    expect(readFaultFlags(argv)).toMatchObject({ flags: { again } });
  });

  it.each([
    [['--campaign', 'rain'], '--campaign "rain" is not accepted, crash, any'],
    [['--seeds', 'many'], '--seeds "many" is not accepted, a whole number from 1 is'],
    [['--workers', '0'], '--workers "0" is not accepted'],
    [['--engine', 'sqlite'], '--engine "sqlite" is not accepted, dynalite, dynamodb-local are'],
    [['--world', 'earth'], '--world "earth" is not accepted'],
    [['--campaign', 'crash', '--seed', '1'], '--seed does not go with --campaign crash'],
    [['--sede', '1'], 'did you mean --seed?'],
  ])('%j is told what would be accepted', (argv, mistake) => {
    const reading = readFaultFlags(argv);
    expect(reading.kind === 'mistakes' && reading.mistakes.join('\n')).toContain(mistake);
  });
});
