import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const DATA = fileURLToPath(new URL('../../../../shared/data/update-status/', import.meta.url));

export interface ExpectedStatus {
  readonly at: string;
  readonly updating?: boolean;
  readonly controlPlane?: {
    readonly assessment: string;
    readonly target: string;
    readonly targetText: string;
    readonly updating: readonly string[];
    readonly completion: object;
    readonly duration: string;
    readonly remaining: string | null;
    readonly health: object;
  };
  readonly nodes?: Readonly<Record<string, readonly object[]>>;
  readonly pools?: Readonly<Record<string, object>>;
  readonly insights?: readonly ExpectedInsight[];
  /** Later moments of the same documents. */
  readonly also?: readonly ExpectedStatus[];
}

interface ExpectedInsight {
  readonly type: string;
  readonly level: string;
  readonly impact: string;
  readonly resource: string | null;
  readonly reason?: string | null;
  readonly sinceSeconds: number | null;
}

export interface RecordedCase {
  readonly name: string;
  /** As `oc get … -o json` printed them, with the alerts behind them. */
  readonly documents: Buffer;
  readonly expected: ExpectedStatus;
}

/** Recorded clusters exist beside the project on some machines; they are optional. */
export const recordedCases: readonly RecordedCase[] = (existsSync(DATA) ? readdirSync(DATA) : [])
  .filter((name) => existsSync(join(DATA, name, 'expected.json')))
  .map((name) => {
    const text = readFileSync(join(DATA, name, 'expected.json'), 'utf8');
    const { case: _name, ...expected } = JSON.parse(text) as ExpectedStatus & { readonly case: string };
    return { name, documents: documentsOf(join(DATA, name)), expected };
  });

if (recordedCases.length === 0)
  console.log('recorded clusters are not at ../shared/data: their update status is not tested');

/** Every recorded moment of a case, the first one as recorded and the others derived. */
export function momentsOf({ expected }: RecordedCase): readonly ExpectedStatus[] {
  return [expected, ...(expected.also ?? [])];
}

function documentsOf(folder: string): Buffer {
  const alerts = join(folder, 'alerts.json');
  return Buffer.concat([
    gunzipSync(readFileSync(join(folder, 'cluster.json.gz'))),
    ...(existsSync(alerts) ? [readFileSync(alerts)] : []),
  ]);
}
