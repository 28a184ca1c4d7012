import { describe, expect, it } from 'vitest';
import { refusePort, refuseUnless } from '../../../../functions/command-line/flags.ts';
import { readScript, type Script } from '../../../../functions/command-line/script.ts';
import { givenOf, mistakesOf } from '../../../helpers/cli/scripts.ts';

const SCRIPT: Script = {
  name: 'example',
  about: 'Does something.',
  usage: 'npm run example -- [flags]',
  margin: 17,
  flags: {
    port: { kind: 'text', value: 'NUMBER', default: '80', help: 'port (80)', refuse: refusePort },
    soak: {
      kind: 'text',
      value: 'MINUTES',
      help: 'how long, which is told in so many words that they go on in a second line',
      refuse: refuseUnless((text) => text !== '0', 'more is'),
    },
    row: { kind: 'list', help: 'a row' },
    mode: { kind: 'text', values: ['fast', 'slow'], help: 'which one' },
    hidden: { kind: 'text', help: '' },
    once: { kind: 'switch', help: 'only once' },
  },
  notes: 'It ends.',
  conflicts: (given) =>
    given.isSet('once') && given.text('soak') !== undefined ? ['--once has no --soak'] : [],
};

describe('a script', () => {
  it('reads its flags, with defaults', () => {
    const none = givenOf(SCRIPT, []);
    expect([none.number('port'), none.text('soak'), none.list('row'), none.isSet('once')]).toEqual([
      80,
      undefined,
      [],
      false,
    ]);
    const some = givenOf(SCRIPT, ['--port=0', '--row', 'a', '--row', 'b,c', '--hidden=--odd', '--once']);
    expect([some.number('port'), some.list('row'), some.text('hidden'), some.isSet('once')]).toEqual([
      0,
      ['a', 'b', 'c'],
      '--odd',
      true,
    ]);
    expect(givenOf(SCRIPT, ['--port', '1', '--port', '2']).number('port')).toBe(2);
  });

  it.each([
    [['--onec'], ['unknown flag --onec, did you mean --once?']],
    [['--hlep'], ['unknown flag --hlep, did you mean --help?']],
    [['--constructor'], ['unknown flag --constructor, see --help']],
    [['-port'], ['unknown flag -port, did you mean --port?']],
    [['-h'], ['unknown flag -h, see --help']],
    [['--soak'], ['--soak needs a value']],
    [['--soak='], ['--soak needs a value']],
    [['--port', '--once'], ['--port needs a value']],
    [['--once=yes'], ['--once takes no value']],
    [['--help=yes'], ['--help takes no value']],
    [
      ['a', '--', 'b'],
      ['unexpected argument "a"; flags begin with --', 'unexpected argument "b"; flags begin with --'],
    ],
    [['--port', '65536'], ['--port "65536" is not a port, a number from 0 to 65535 is accepted']],
    [['--soak', '0'], ['--soak "0" is not accepted, more is']],
    [['--mode', 'fats'], ['--mode "fats" is not accepted, fast, slow are, did you mean fast?']],
    [['--once', '--soak', '1'], ['--once has no --soak']],
    [
      ['--soak', '0', '--port', 'x', '--once', '--nonsense', '--help'],
      [
        'unknown flag --nonsense, see --help',
        '--port "x" is not a port, a number from 0 to 65535 is accepted',
        '--soak "0" is not accepted, more is',
        '--once has no --soak',
      ],
    ],
  ])('refuses %j, with every mistake', (argv, mistakes) => {
    expect(mistakesOf(SCRIPT, argv)).toEqual(mistakes);
  });

  it('has help that explains every flag', () => {
    const help = `Does something.

Usage: npm run example -- [flags]

  --port NUMBER  port (80)
  --soak MINUTES
                 how long, which is told in so many words that they go on in a
                 second line
  --row TEXT     a row
  --mode fast|slow
                 which one
  --once         only once
  --help         this text

It ends.
`;
    expect(readScript(SCRIPT, ['--once', '--help'])).toEqual({ kind: 'help', help });
  });
});
