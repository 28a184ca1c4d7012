/** Nothing is wrong with the request or with the program: what it needs is busy. */
export class PassingFault extends Error {
  override readonly name = 'PassingFault';
}

const BUSY: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
]);
const CUT_OFF: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether another try may go better: a service of AWS was busy, failed, or could not be reached or understood. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof PassingFault || BUSY.has(error.name)) return true;
  const { $metadata, $fault, code } = error as Error & {
    readonly $metadata?: object;
    /** Of what a service refused: whether for what it was asked. */
    readonly $fault?: 'client' | 'server';
    readonly code?: string;
  };
  return ($metadata !== undefined && $fault !== 'client') || (code !== undefined && CUT_OFF.has(code));
}
