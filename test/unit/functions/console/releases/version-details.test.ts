import { describe, expect, it } from 'vitest';
import { planFrom, planTo } from '../../../../../functions/console/releases/version-details.tsx';

describe('a plan from a version', () => {
  it.each([
    ['', undefined],
    ['4.16', undefined],
    ['4.15', undefined],
    ['4.15.4', undefined],
    ['4.15.3', ''],
    ['4.15.0-rc.1', ''],
    ['4.14', ''],
  ])('from 4.15.3 with the target "%s"', (to, changed) => {
    const patch = planFrom('4.15.3', { to });
    expect(patch).toMatchObject({ from: '4.15.3', channel: '', cluster: '', alt: 0, open: '', find: '' });
    expect(patch.to).toBe(changed);
  });
});

describe('a plan to a version', () => {
  it.each([
    ['', undefined],
    ['4.15.2', undefined],
    ['4.15.3', ''],
    ['4.16.0', ''],
  ])('to 4.15.3 with the start "%s"', (from, changed) => {
    const patch = planTo('4.15.3', { from });
    expect(patch.to).toBe('4.15.3');
    expect(patch.from).toBe(changed);
  });
});
