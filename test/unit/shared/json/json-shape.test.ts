import { describe, expect, it } from 'vitest';
import { jsonExcess, refuseExcess } from '@cairn/shared/json/scan';

describe('jsonExcess', () => {
  it.each([
    ['', 0, null],
    ['1', 0, null],
    ['[]', 1, null],
    ['[]', 0, 'values'],
    ['[1,2,{"a":[]}]', 5, null],
    ['[1,2,{"a":[]}]', 4, 'values'],
    ['["[,[,[,\\"[,[",1]', 2, null],
    ['"\\\\",[', 1, 'values'],
    [`${'['.repeat(1000)}${']'.repeat(1000)}`, 5000, null],
    [`${'['.repeat(1001)}${']'.repeat(1001)}`, 5000, 'depth'],
    ['[],'.repeat(2000), 5000, null],
  ])('%.30s with at most %i is over in %s', (text, most, expected) => {
    expect(jsonExcess(Buffer.from(text), most)).toBe(expected);
  });
});

it('is a problem that says which', () => {
  expect(() => refuseExcess(Buffer.from('[1,2]'), 1)).toThrow('more than 1 values');
  expect(() => refuseExcess(Buffer.from('['.repeat(1001)), 5000)).toThrow('deeper than 1000 levels');
});
