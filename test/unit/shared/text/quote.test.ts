import { shellWord } from '@cairn/shared/text/quote';
import { expect, it } from 'vitest';

it.each([
  ['worker', 'worker'],
  ['ip-10-0-1-2.ec2.internal', 'ip-10-0-1-2.ec2.internal'],
  ['a; reboot', "'a; reboot'"],
  ['$(reboot)', "'$(reboot)'"],
  ["it's", String.raw`'it'\''s'`],
  ['-A', "'-A'"],
  ['', "''"],
])('writes %j as %s', (name, word) => {
  expect(shellWord(name)).toBe(word);
});
