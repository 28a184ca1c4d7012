import { type EngineName, startFaultStage } from '../harness/stage.ts';
import type { TrialOutcome } from '../scenario.ts';
import { runUnit, type Unit } from './units.ts';

export interface UnitResult {
  readonly outcome: TrialOutcome | null;
  /** Why there is no outcome. */
  readonly error: string | null;
  readonly cpuMs: number;
}

const stage = await startFaultStage(process.argv[2] as EngineName);
process.on('message', (unit: Unit) => {
  const before = process.cpuUsage();
  const answer = (outcome: TrialOutcome | null, error: string | null) => {
    const { user, system } = process.cpuUsage(before);
    const result: UnitResult = { outcome, error, cpuMs: (user + system) / 1000 };
    process.send!(result);
  };
  runUnit(stage, unit).then(
    (outcome) => answer(outcome, null),
    (error: Error) => answer(null, error.stack ?? error.message),
  );
});
process.on('disconnect', () => {
  void stage.close().then(() => process.exit());
});
process.send!('ready');
