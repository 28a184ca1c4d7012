/**
 * Channels of January 2021, reduced to a few releases. 4.4.3 updates to late 4.4.z, only those lead to the newest
 * 4.5, and stable-4.6 does not reach back to 4.4. The hotfix is no target.
 */
export const JANUARY_2021: Readonly<Record<string, readonly string[]>> = {
  'stable-4.4': ['4.4.3 > 4.4.4', '4.4.3 > 4.4.20', '4.4.3 > 4.4.29', '4.4.4 > 4.4.29', '4.4.20 > 4.4.29'],
  'stable-4.5': [
    '4.4.3 > 4.4.4',
    '4.4.3 > 4.4.20',
    '4.4.3 > 4.4.29',
    '4.4.4 > 4.4.29',
    '4.4.20 > 4.4.29',
    '4.4.20 > 4.5.16',
    '4.4.20 > 4.5.24',
    '4.4.29 > 4.5.16',
    '4.4.29 > 4.5.24',
    '4.5.0-0.hotfix-2020-08-24-185832 > 4.5.16',
    '4.5.16 > 4.5.24',
  ],
  'stable-4.6': ['4.5.16 > 4.5.24', '4.5.24 > 4.6.12', '4.5.16 > 4.6.9', '4.6.9 > 4.6.12'],
};
