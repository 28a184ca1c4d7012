import { PATH_RISK_MODES } from '@cairn/shared/path/values';
import { ARCH_NAMES, ARCHES } from '@cairn/shared/version/arch';
import type { Flags } from '../../command-line/flags.ts';

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
    values: PATH_RISK_MODES,
    help: 'whether conditional updates may be on the way',
  },
  'accept-risk': {
    kind: 'list',
    value: 'NAME',
    help: 'a risk that may be on the way',
  },
} as const satisfies Flags;

export const SOURCE_FLAGS = {
  url: {
    kind: 'text',
    value: 'URL',
    variable: 'CAIRN_URL',
    help: 'ask the Cairn at this address',
  },
  upstream: {
    kind: 'text',
    value: 'URL',
    help: 'ask this update service, the URL of a Cincinnati graph',
  },
  graph: {
    kind: 'list',
    value: 'FILE',
    help: 'work offline with the graphs of this file: one that "channels --save" wrote, or the answer of any update service under the name of its channel, stable-4.16.json or stable-4.16=any.json',
  },
  token: {
    kind: 'text',
    value: 'TOKEN',
    variable: 'CAIRN_TOKEN',
    help: 'with --url: the bearer token to show; without one requests are signed with the AWS credentials of this machine, where it has some',
  },
  'token-file': {
    kind: 'text',
    value: 'FILE',
    variable: 'CAIRN_TOKEN_FILE',
    help: 'with --url: a file that holds the token',
  },
  region: {
    kind: 'text',
    value: 'NAME',
    variable: 'AWS_REGION',
    help: 'with --url: the AWS region, where the address does not tell it',
  },
} as const satisfies Flags;
