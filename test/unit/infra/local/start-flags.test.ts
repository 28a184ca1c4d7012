import { describe, expect, it } from 'vitest';
import { readScript } from '../../../../functions/command-line/script.ts';
import type { Flags } from '../../../../infra/local/run.ts';
import { flagsOf, START } from '../../../../infra/local/start.ts';
import { givenOf, mistakesOf } from '../../../helpers/cli/scripts.ts';

const DEFAULTS: Flags = {
  port: 8080,
  host: '127.0.0.1',
  data: '.cairn',
  upstream: undefined,
  releases: undefined,
  eusTerms: 2,
  historyLimit: 100,
  once: false,
};

describe('the flags of npm start', () => {
  it.each<[string, Partial<Flags>]>([
    ['', {}],
    ['--port 9090', { port: 9090 }],
    ['--port=0', { port: 0 }],
    ['--port 65535', { port: 65_535 }],
    ['--port 1 --port 2', { port: 2 }],
    ['--eus-terms 0', { eusTerms: 0 }],
    ['--host ::1', { host: '::1' }],
    ['--data /var/lib/cairn', { data: '/var/lib/cairn' }],
    ['--data=--odd-but-meant', { data: '--odd-but-meant' }],
    ['--upstream demo', { upstream: 'demo' }],
    ['--upstream http://127.0.0.1:8000/graph', { upstream: 'http://127.0.0.1:8000/graph' }],
    ['--upstream https://updates.example.com/graph', { upstream: 'https://updates.example.com/graph' }],
    ['--releases mine.json', { releases: 'mine.json' }],
    ['--history-limit 8', { historyLimit: 8 }],
    ['--history-limit=1000', { historyLimit: 1000 }],
    ['--once', { once: true }],
    ['--once --port 1 --upstream demo', { once: true, port: 1, upstream: 'demo' }],
  ])('reads "%s"', (line, expected) => {
    expect(flagsOf(givenOf(START, argumentsIn(line)))).toEqual({ ...DEFAULTS, ...expected });
  });

  // The common rules of flags are in script.test.ts of functions/command-line.
  it.each<[string, string[]]>([
    ['--prot=1', ['unknown flag --prot, did you mean --port?']],
    ['--upstrem=demo', ['unknown flag --upstrem, did you mean --upstream?']],
    ['--port web', [notAPort('web')]],
    ['--port 65536', [notAPort('65536')]],
    ['--port -1', [notAPort('-1')]],
    ['--port 80.5', [notAPort('80.5')]],
    ['--port 0x50', [notAPort('0x50')]],
    ['--port 1e3', [notAPort('1e3')]],
    ['--history-limit 7', [notALimit('7')]],
    ['--history-limit 1001', [notALimit('1001')]],
    ['--history-limit 1e2', [notALimit('1e2')]],
    ['--upstream ftp://host/graph', ['--upstream "ftp://host/graph" is neither demo nor an http(s) URL']],
    ['--upstream Demo', ['--upstream "Demo" is neither demo nor an http(s) URL']],
  ])('refuses "%s"', (line, mistakes) => {
    expect(mistakesOf(START, argumentsIn(line))).toEqual(mistakes);
  });
});

describe('the help of npm start', () => {
  const reading = readScript(START, ['--once', '--help']);
  const help = reading.kind === 'help' ? reading.help : '';

  it.each(['port', 'host', 'data', 'upstream', 'releases', 'history-limit', 'once', 'help'])(
    'explains --%s',
    (name) => {
      expect(help).toContain(`\n  --${name} `);
    },
  );

  it('fits a terminal of 80 columns', () => {
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('names flags in its examples that are accepted', () => {
    const examples = help.split('\n').filter((line) => /^ {2}npm start( -- )?/.test(line));
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const line = example.replace(/^ {2}npm start( -- )?/, '');
      expect(mistakesOf(START, argumentsIn(line)), example).toEqual([]);
    }
  });
});

function argumentsIn(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

function notAPort(value: string): string {
  return `--port "${value}" is not a port, a number from 0 to 65535 is accepted`;
}

function notALimit(value: string): string {
  return `--history-limit "${value}" is not accepted, a number from 8 to 1000 is`;
}
