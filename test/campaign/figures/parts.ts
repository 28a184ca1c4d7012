/** A command that takes some of the figures and tells them on its standard output. */
export interface Part {
  readonly name: string;
  readonly what: string;
  readonly command: readonly [string, ...string[]];
}

/** Any would do; with a fixed one the same requests are sent by everybody. */
const FUZZ_SEED = '20261117';

const npm = (script: string, ...flags: readonly string[]): Part['command'] => [
  'npm',
  'run',
  '-s',
  script,
  ...(flags.length > 0 ? ['--', ...flags] : []),
];

/** One after the other; the lanes of a stage side by side, each one part after the other. */
export type Stage = readonly (readonly Part[])[];

/** What takes long and does not go by the clock is side by side, what does is alone on the machine. */
export function stagesOf({
  isQuick,
  soakMinutes,
}: {
  readonly isQuick: boolean;
  readonly soakMinutes: number;
}): Stage[] {
  const fault: Part = {
    name: 'fault',
    what: 'promises under faults, and planted bugs',
    command: npm('fault', ...(isQuick ? ['--smoke'] : [])),
  };
  const fuzz: Part = {
    name: 'fuzz',
    what: 'made-up requests to every route',
    command: npm('fuzz', '--seed', FUZZ_SEED, ...(isQuick ? ['--requests', '2000'] : [])),
  };
  const schemathesis: Part = {
    name: 'schemathesis',
    what: 'the interface document, tried from outside',
    command: ['sh', 'test/campaign/conformance/run-schemathesis.sh'],
  };
  const soak: Part = {
    name: 'soak',
    what: 'row L9, beside the others',
    command: npm('load', '--only', 'L9', '--soak', String(soakMinutes)),
  };
  const load: Part = {
    name: 'load',
    what: 'every other row of load',
    command: npm('load', ...(isQuick ? ['--quick'] : [])),
  };
  const bench: Part = {
    name: 'bench',
    what: 'ratios of two things that run in one process',
    command: npm('bench', ...(isQuick ? ['--only', 'path'] : [])),
  };
  return [[[soak], [fault, fuzz, schemathesis]], [[load]], [[bench]]];
}
