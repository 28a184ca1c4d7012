import { RISK_MODES } from '@cairn/shared/path/risk-policy';
import type { Flags } from '../flag.ts';

/** What narrows the search for a way. */
export const QUESTION_FLAGS = {
  channel: {
    kind: 'list',
    value: 'NAME',
    help: 'search this channel; several are searched together (the best that leads there)',
  },
  arch: {
    kind: 'text',
    value: 'NAME',
    values: ['amd64', 'arm64', 'ppc64le', 's390x', 'multi', 'x86_64', 'aarch64'],
    help: 'architecture of the release image',
  },
  risk: {
    kind: 'text',
    values: RISK_MODES,
    help: 'whether conditional updates may be on the way',
  },
  'accept-risk': {
    kind: 'list',
    value: 'NAME',
    help: 'a risk that may be on the way',
  },
} as const satisfies Flags;
