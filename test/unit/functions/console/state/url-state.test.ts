import { describe, expect, it } from 'vitest';
import {
  DEFAULTS,
  readUrl,
  writeUrl,
  type UrlState,
} from '../../../../../functions/console/state/url-state.ts';

const ROUND_TRIPS: readonly (readonly [search: string, state: Partial<UrlState>])[] = [
  ['', {}],
  ['?from=4.14.30', { from: '4.14.30' }],
  ['?from=4.14.0-rc.3&to=4.16', { from: '4.14.0-rc.3', to: '4.16' }],
  ['?to=4.16.62', { to: '4.16.62' }],
  ['?channel=eus-4.16&arch=s390x', { channel: 'eus-4.16', arch: 's390x' }],
  ['?risks=allow', { risks: 'allow' }],
  ['?risks=RiskA,Risk_B.2', { risks: ['RiskA', 'Risk_B.2'] }],
  ['?nodes=250&pause=1', { nodes: 250, pause: true }],
  ['?cluster=prod-eu&alt=2', { cluster: 'prod-eu', alt: 2 }],
  ['?sel=4.15.40&view=table&minors=4.14,4.15', { sel: '4.15.40', view: 'table', minors: ['4.14', '4.15'] }],
  ['?minors=none', { minors: [] }],
  ['?open=stable-4.14&find=4.1', { open: 'stable-4.14', find: '4.1' }],
  ['?verdict=blocked&minor=4.14&overdue=1', { verdict: 'blocked', minor: '4.14', overdue: true }],
  ['?verdict=pending', { verdict: 'pending' }],
  ['?state=stalled&name=prod&wall=1', { state: 'stalled', name: 'prod', wall: true }],
  ['?state=on-track', { state: 'on-track' }],
  ['?find=disk&on=stable-4.16&all=1', { find: 'disk', on: 'stable-4.16', all: true }],
  ['?theme=dark', { theme: 'dark' }],
];

describe('the address of the page', () => {
  it.each(ROUND_TRIPS)('%s is read and written as it is', (search, state) => {
    const read = readUrl(search);
    expect(read).toEqual({ state: { ...DEFAULTS, ...state }, mistakes: [], others: [] });
    expect(writeUrl(read.state)).toBe(search);
  });

  it('leaves out what goes without saying', () => {
    expect(
      writeUrl(readUrl('?arch=amd64&risks=avoid&nodes=6&pause=0&alt=0&view=lanes&overdue=0').state),
    ).toBe('');
  });

  it.each([
    ['from', '4.14'],
    ['from', 'constructor'],
    ['to', 'newest'],
    ['channel', 'stable'],
    ['arch', 'x86'],
    ['risks', 'a b'],
    ['risks', ','],
    ['nodes', '0'],
    ['nodes', '99999'],
    ['pause', 'yes'],
    ['cluster', '../x'],
    ['alt', '4'],
    ['sel', '<b>'],
    ['view', 'matrix'],
    ['minors', '4.14,x'],
    ['verdict', 'good'],
    ['minor', '4'],
    ['overdue', 'yes'],
    ['state', 'none'],
    ['wall', 'yes'],
    ['on', 'stable'],
    ['all', 'yes'],
    ['theme', 'pink'],
  ])('%s=%s is named and left out', (key, value) => {
    const { state, mistakes } = readUrl(`?${new URLSearchParams([[key, value]])}&sel=4.15.1`);
    expect(mistakes).toMatchObject([{ parameter: key, value }]);
    expect(mistakes[0]!.accepted).not.toBe('');
    expect(state).toEqual({ ...DEFAULTS, sel: '4.15.1' });
  });

  it('keeps keys of others, also those that every object has', () => {
    const search = '?from=4.14.30&utm_source=mail&constructor=1';
    const { state, others, mistakes } = readUrl(search);
    expect(mistakes).toEqual([]);
    expect(writeUrl(state, others)).toBe(search);
  });

  it('escapes what has a meaning in addresses', () => {
    const find = 'a&b=c #d';
    const written = writeUrl({ ...DEFAULTS, find });
    expect(written).not.toContain('#');
    expect(readUrl(written).state.find).toBe(find);
  });

  it('reads no more than 2,000 characters', () => {
    expect(readUrl(`?find=${'x'.repeat(3000)}&sel=4.15.1`).state.sel).toBe('');
  });
});
