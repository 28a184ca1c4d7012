import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with one plain line that any reader of logs understands. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const failed = count('failed') + brokenModules + unhandledErrors.length;
    console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
  }
}
