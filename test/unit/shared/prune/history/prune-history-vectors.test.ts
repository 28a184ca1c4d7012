import type { PrunableEntry } from '@cairn/shared/prune/history/criteria';
import { pruneHistory } from '@cairn/shared/prune/history/prune-history';
import { describe, expect, it } from 'vitest';
import { cvoLogLine, entryOf } from './short-histories.ts';
import golden from './vectors.json' with { type: 'json' };

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function historyOfVector(states: string, digits: string): PrunableEntry[] {
  return Array.from(digits, (digit, place) =>
    entryOf(states[place]!, golden.versions[DIGITS.indexOf(digit)]!),
  );
}

describe('what the operator itself removed', () => {
  it.each(golden.vectors)('%s', (vector) => {
    const [max, states = '', digits = '', index, rank, reason] = vector.split(' ');
    const history = historyOfVector(states, digits);
    const { kept, removed } = pruneHistory(history, { max: Number(max) });
    const version = history[Number(index)]?.version;
    const line = `Pruning ${golden.reasons[Number(reason)]} version ${version} at index ${index} with rank ${rank}.`;
    expect(removed.map(cvoLogLine)).toEqual(index === undefined ? [] : [line]);
    expect(kept).toEqual(history.filter((_, place) => place !== Number(index)));
  });
});
