import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Code without state, which starts nothing: the only tests that need no engine and no build. */
const STATELESS = ['shared', 'architecture', 'docs', 'functions/console'].map(
  (folder) => `test/unit/${folder}/**/*.test.ts`,
);
const SMOKE = 'test/system/smoke/*.test.ts';

/** Ends a test that hangs. No test is as slow as this on any machine. */
const HANG_MS = 600_000;

/** Properties draw by the commit: a commit that passes here passes in CI, and the next one draws other cases. */
function seedOfCommit(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? String(Number.parseInt(stdout, 16)) : '1';
}

const except = (...paths: readonly string[]) => [...configDefaults.exclude, ...paths];

export default defineConfig(({ mode }) => {
  // `npm run test:all`; its processes inherit it.
  if (mode === 'thorough') process.env['CAIRN_THOROUGH'] = '1';
  process.env['CAIRN_SEED'] ??= seedOfCommit();
  return {
    root: fileURLToPath(new URL('..', import.meta.url)),
    test: {
      testTimeout: HANG_MS,
      hookTimeout: HANG_MS,
      expect: { poll: { timeout: HANG_MS } },
      pool: 'forks',
      restoreMocks: true,
      unstubEnvs: true,
      // Most tests wait for engines and processes; the default leaves a machine of two cores with one worker.
      maxWorkers: Math.max(3, availableParallelism() - 1),
      reporters: [['default', { summary: false }], 'test/summary-reporter.ts'],
      globalSetup: 'test/global-setup.ts',
      setupFiles: 'test/seed.ts',
      projects: [
        { extends: true, test: { name: 'stateless', include: STATELESS, isolate: false } },
        {
          extends: true,
          // One process per file would load the AWS SDK a hundred times.
          test: {
            name: 'engine',
            include: ['test/unit/**/*.test.ts'],
            exclude: except(...STATELESS),
            isolate: false,
          },
        },
        { extends: true, test: { name: 'smoke', include: [SMOKE] } },
        {
          extends: true,
          test: { name: 'system', include: ['test/system/**/*.test.ts'], exclude: except(SMOKE) },
        },
        { extends: true, test: { name: 'campaign', include: ['test/campaign/**/*.test.ts'] } },
      ],
    },
  };
});
