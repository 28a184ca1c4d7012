import { JANUARY_2021 } from '../path/january-2021.ts';
import type { DrawnUpstream } from '../upstream/drawn-upstream.ts';

/** A few releases for each kind of plan. No update path connects the minors of two kinds. */
export const DRAWN_CHANNELS = {
  amd64: {
    ...JANUARY_2021,
    // Four hops in one channel only.
    'fast-4.7': ['4.7.1 > 4.7.2', '4.7.2 > 4.7.3', '4.7.3 > 4.7.4', '4.7.4 > 4.7.5'],
    // No successor of 4.8.1 leads to 4.9.6.
    'stable-4.9': ['4.8.1 > 4.8.3', '4.8.3 > 4.9.1', '4.8.8 > 4.9.6', '4.9.4 > 4.9.6', '4.9.2'],
    // Every path to 4.11.9 has a risk; 4.10.30 continues in fast-4.11 only.
    'stable-4.10': ['4.10.5 > 4.10.30', '4.10.30 > 4.10.31'],
    'stable-4.11': [
      '4.10.5 > 4.11.2',
      '4.11.2 > 4.11.9 Leaky',
      '4.10.5 > 4.11.6 Slow',
      '4.11.6 > 4.11.9 Slow',
      '4.11.9 > 4.11.12 Leaky',
      '4.10.30',
    ],
    'fast-4.11': ['4.10.30 > 4.11.2'],
    // A long path over four minors, with alternatives.
    'stable-4.12': ['4.12.10 > 4.12.30', '4.12.10 > 4.12.40', '4.12.30 > 4.12.40'],
    'stable-4.13': [
      '4.12.30 > 4.13.20',
      '4.12.30 > 4.12.40',
      '4.12.40 > 4.13.20',
      '4.12.40 > 4.13.30',
      '4.13.20 > 4.13.30',
    ],
    'stable-4.14': ['4.13.20 > 4.14.20', '4.13.30 > 4.14.20', '4.13.30 > 4.14.30', '4.14.20 > 4.14.30'],
    'stable-4.15': ['4.14.20 > 4.15.20', '4.14.20 > 4.14.30', '4.14.30 > 4.15.20'],
    'stable-4.16': ['4.15.20 > 4.16.10', '4.15.20 > 4.16.20', '4.16.10 > 4.16.20'],
    'fast-4.17': [],
  },
  arm64: { 'stable-4.16': ['4.16.30 > 4.16.31'] },
} as const satisfies DrawnUpstream;
