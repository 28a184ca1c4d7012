const BAR_WIDTH = 30;
/** Without a terminal, a line at most this often tells that the work goes on. */
const LINE_EVERY = 10;

export interface Progress {
  step(done: number, total: number, what: string): void;
  end(): void;
}

/** A bar on a terminal, plain lines anywhere else. */
export function createProgress(out: NodeJS.WriteStream, title: string): Progress {
  return out.isTTY ? barProgress(out, title) : lineProgress(out, title);
}

function barProgress(out: NodeJS.WriteStream, title: string): Progress {
  return {
    step(done, total, what) {
      const filled = Math.round((done / total) * BAR_WIDTH);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
      const line = `${title} ${bar} ${done}/${total} ${what}`;
      out.write(`\r\u001b[K${line.slice(0, out.columns - 1)}`);
    },
    end() {
      out.write('\r\u001b[K');
    },
  };
}

function lineProgress(out: NodeJS.WriteStream, title: string): Progress {
  return {
    step(done, total, what) {
      if (done % LINE_EVERY === 0 || done === total) out.write(`${title} ${done}/${total} ${what}\n`);
    },
    end() {},
  };
}
