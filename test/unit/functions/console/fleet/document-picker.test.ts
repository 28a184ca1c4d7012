import { describe, expect, it } from 'vitest';
import { textFault } from '../../../../../functions/console/fleet/document-picker.tsx';

describe('what is wrong with a text, by its ends', () => {
  it.each([
    [' \n', /nothing/],
    ['apiVersion: v1\nkind: List', /-o json/],
    ['---\nkind: List', /-o json/],
    ['error: You must be logged in', /begins with “error: You must be l”/],
    ['{"kind":"List","items":[{"a"', /end is missing/],
  ])('%j', (text, fault) => {
    expect(textFault(text)).toMatch(fault);
  });

  // The last is what `oc` prints twice in a row.
  it.each(['{"kind":"List","items":[]}', '[{}]', '\n {"a":1}\n{"b":2}\n'])('nothing with %j', (text) => {
    expect(textFault(text)).toBeNull();
  });
});
