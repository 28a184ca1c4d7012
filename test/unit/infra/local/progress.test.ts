import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../../infra/local/progress.ts';

/** As much of a stream as progress writes to. */
function stream(terminal: { columns: number } | null): { out: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const out = {
    isTTY: terminal !== null,
    columns: terminal?.columns,
    write: (text: string) => written.push(text),
  };
  return { out: out as unknown as NodeJS.WriteStream, written };
}

describe('on a terminal', () => {
  it('draws a bar over itself and takes it away', () => {
    const { out, written } = stream({ columns: 80 });
    const progress = createProgress(out, 'Syncing');
    progress.step(1, 3, 'stable-4.14/amd64');
    progress.step(3, 3, 'fast-4.14/amd64');
    progress.end();
    expect(written).toEqual([
      `\r\u001b[KSyncing ${'█'.repeat(10)}${'░'.repeat(20)} 1/3 stable-4.14/amd64`,
      `\r\u001b[KSyncing ${'█'.repeat(30)} 3/3 fast-4.14/amd64`,
      '\r\u001b[K',
    ]);
  });

  it('never fills the last column, which would begin a new line', () => {
    const { out, written } = stream({ columns: 50 });
    createProgress(out, 'Syncing').step(1, 1, 'candidate-4.14/multi');
    expect(written[0]!.replace('\r\u001b[K', '')).toHaveLength(49);
  });
});

describe('elsewhere', () => {
  it('writes every tenth step and the last as lines, without control characters', () => {
    const { out, written } = stream(null);
    const progress = createProgress(out, 'Syncing');
    for (let done = 1; done <= 23; done++) progress.step(done, 23, `pair-${done}`);
    progress.end();
    expect(written).toEqual([
      'Syncing 10/23 pair-10\n',
      'Syncing 20/23 pair-20\n',
      'Syncing 23/23 pair-23\n',
    ]);
  });
});
