import { expect, it } from 'vitest';
import { goalOf } from '../../../../../functions/console/fleet/cluster-target.tsx';

it.each([
  // By its own channel where that leads there.
  ['4.16.9', 'eus-4.16', '4.16.9', 'eus-4.16'],
  ['4.15.7', 'stable-4.14', '4.15.7', ''],
  ['4.15.7', null, '4.15.7', ''],
  ['4.15.7', 'own-channel', '4.15.7', ''],
  // Not looked at yet: to the newest of its channel, as plans are made when nothing is said.
  [null, 'stable-4.14', '', 'stable-4.14'],
  [null, null, '', ''],
])('to %s in %s', (target, channel, to, by) => {
  expect(goalOf({ target, channel })).toEqual({ to, channel: by });
});
