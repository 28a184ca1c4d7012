import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/** Tests of code that has no state and starts nothing. A process for each file took longer than all that they do in it. */
const STATELESS = ['shared', 'architecture', 'functions/console'].map(
  (folder) => `test/unit/${folder}/**/*.test.ts`,
);

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes as soon as it can: the limit is for a machine that is busy with ten other things.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Most tests wait for engines and processes; the default leaves a machine of two cores with one worker.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    reporters: [['default', { summary: false }], 'test/summary-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'with engines',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...STATELESS],
          globalSetup: 'test/global-setup.ts',
        },
      },
      { extends: true, test: { name: 'stateless', include: STATELESS, isolate: false } },
    ],
  },
});
