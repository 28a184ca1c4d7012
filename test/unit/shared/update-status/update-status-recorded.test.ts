import { describe, expect, it } from 'vitest';
import { comparable } from '../../../helpers/update-status/compare-status.ts';
import { momentsOf, recordedCases } from '../../../helpers/update-status/recorded-cases.ts';
import { statusOf } from '../../../helpers/update-status/statuses.ts';

describe.skipIf(recordedCases.length === 0)('recorded clusters', () => {
  it.each(recordedCases)('$name is judged as it was recorded, and later', (recorded) => {
    for (const expected of momentsOf(recorded)) {
      const status = statusOf(recorded.documents, expected.at);
      expect(comparable(status, expected)).toEqual(expected);
    }
  });
});
