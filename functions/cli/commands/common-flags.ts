import type { Flags } from '../../command-line/flags.ts';
import { ARCH_NAMES, ARCHES } from '@cairn/shared/version/arch';
import { RISK_MODES } from '@cairn/shared/path/values';

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
    values: [...ARCHES, ...ARCH_NAMES.filter((name) => !ARCHES.some((arch) => arch === name))],
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
