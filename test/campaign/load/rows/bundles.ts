import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { bundle, ENTRY_POINTS, type FunctionName } from '../../../../infra/aws/bundling/options.ts';
import { atMost, type LoadFinding, type LoadRow, finding } from '../row.ts';

const ROUNDS = 5;
/** Of an entry in a zip, beside what is compressed: its name comes twice. */
const ENTRY_BYTES = 100;

/** What each function brings to a cold start. `npm run bench` has its CPU against a hand-signed request. */
export const bundles: LoadRow = {
  async run({ folder, isQuick }) {
    const rounds = isQuick ? 2 : ROUNDS;
    const bare = smallest(rounds, () => startOf('data:text/javascript,'));
    return (Object.keys(ENTRY_POINTS) as FunctionName[]).flatMap((name): LoadFinding[] => {
      const outdir = join(folder, name);
      bundle(name, outdir);
      const zipped = readdirSync(outdir)
        .filter((file) => !file.endsWith('.map'))
        .reduce(
          (total, file) => total + ENTRY_BYTES + deflateRawSync(readFileSync(join(outdir, file))).length,
          0,
        );
      const start = smallest(rounds, () => startOf(pathToFileURL(join(outdir, 'index.mjs')).href));
      return [
        finding(`${name}: zipped, without source maps`, zipped / 1e6, 'MB', { goal: atMost(1.5) }),
        finding(`${name}: its import`, start.milliseconds, 'ms', { goal: atMost(250) }),
        finding(`${name}: all memory after it`, start.megabytes, 'MB', {
          goal: atMost(128),
          ratio: { value: start.megabytes / bare.megabytes, to: 'a bare Node' },
        }),
      ];
    });
  },
};

interface Start {
  readonly milliseconds: number;
  readonly megabytes: number;
}

function smallest(rounds: number, measure: () => Start): Start {
  const all = Array.from({ length: rounds }, measure);
  return all.reduce((best, next) => (next.milliseconds < best.milliseconds ? next : best));
}

/** An import fails where a setting is missing, but only after all code is loaded. */
function startOf(url: string): Start {
  const script = `const start = performance.now();
await import(process.argv[1]).catch(() => {});
process.stdout.write(JSON.stringify({ milliseconds: performance.now() - start, megabytes: process.resourceUsage().maxRSS / 1000 }));
process.exit();`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, url], {
    env: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
    encoding: 'utf8',
  });
  return JSON.parse(output) as Start;
}
