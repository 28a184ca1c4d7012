import { describe, expect, it } from 'vitest';
import { givenOf, mistakesOf } from '../../helpers/cli/scripts.ts';
import { FAULT, unitOf } from './campaign.ts';

describe('the flags of the fault campaign', () => {
  it('are every campaign from the first seed on when nothing is said', () => {
    const given = givenOf(FAULT, []);
    const texts = ['campaign', 'seeds', 'first', 'engine'].map((name) => given.text(name));
    expect([given.isSet('smoke'), unitOf(given), ...texts]).toEqual([
      false,
      null,
      undefined,
      undefined,
      '1',
      'dynalite',
    ]);
  });

  it.each([
    [['--seed', '7'], { do: 'trial', scenario: 'sync', kind: 'any', seed: 7 }],
    [
      ['--seed', '7', '--campaign', 'clock', '--scenario', 'clusters'],
      { do: 'trial', scenario: 'clusters', kind: 'clock', seed: 7 },
    ],
    [['--seed', '7', '--campaign', 'kill'], { do: 'kill', seed: 7 }],
    [['--seed', '7', '--campaign', 'blast-radius'], { do: 'blast', seed: 7 }],
    [
      ['--replay', 'trial scenario=sync kind=any seed=9 without=1,2'],
      { do: 'trial', scenario: 'sync', kind: 'any', seed: 9, without: [1, 2] },
    ],
  ])('%j is one unit again', (argv, again) => {
    expect(unitOf(givenOf(FAULT, argv))).toMatchObject(again);
  });

  it.each([
    [['--campaign', 'rain'], '--campaign "rain" is not accepted, crash, any'],
    [['--seeds', 'many'], '--seeds "many" is not accepted, a whole number from 1 is'],
    [['--workers', '0'], '--workers "0" is not accepted'],
    [['--engine', 'sqlite'], '--engine "sqlite" is not accepted, dynalite, dynamodb-local are'],
    [['--scenario', 'earth'], '--scenario "earth" is not accepted'],
    [['--campaign', 'crash', '--seed', '1'], '--seed does not go with --campaign crash'],
    [['--sede', '1'], 'did you mean --seed?'],
  ])('%j lists the accepted values', (argv, mistake) => {
    expect(mistakesOf(FAULT, argv).join('\n')).toContain(mistake);
  });
});
