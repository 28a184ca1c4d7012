import { bytesText } from '@cairn/shared/text/words';
import { expect, it } from 'vitest';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
  [3000 * 1024 ** 5, '3000.0 PiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
