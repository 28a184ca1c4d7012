/** What happened in a trial, step by step and in numbers. */
export class Journal {
  readonly steps: string[] = [];
  readonly counts = {
    runs: 0,
    calls: 0,
    faults: 0,
    kills: 0,
    pauses: 0,
    clockJumps: 0,
    duplicates: 0,
    reads: 0,
  };

  note(step: string): void {
    this.steps.push(`${new Date(Date.now()).toISOString()} ${step}`);
  }
}
