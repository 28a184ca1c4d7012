import { nearestName } from '@cairn/shared/text/nearest';
import { describe, expect, it } from 'vitest';

const FLAGS = ['port', 'host', 'data', 'upstream', 'releases', 'once', 'help'];

describe('nearestName', () => {
  it.each([
    ['prot', 'port', 'swapped neighbours count once'],
    ['prt', 'port', 'a letter left out'],
    ['ports', 'port', 'a letter too many'],
    ['UPSTREAM', 'upstream', 'another case'],
    ['realeses', 'releases', 'two mistakes in a longer word'],
    ['hots', 'host', 'swapped at the end'],
    ['port', 'port', 'the name itself'],
  ])('%s → %s (%s)', (word, expected) => {
    expect(nearestName(word, FLAGS)).toBe(expected);
  });

  it.each(['', 'verbose', 'x', 'past', '__proto__', 'u'.repeat(65)])('finds nothing near %j', (word) => {
    expect(nearestName(word, FLAGS)).toBeNull();
  });

  it('takes the nearest, and the first of equals', () => {
    expect(nearestName('channel', ['channels', 'channel_'])).toBe('channels');
    expect(nearestName('release_image', ['release_sources', 'release_images'])).toBe('release_images');
    expect(nearestName('port', [])).toBeNull();
  });
});
