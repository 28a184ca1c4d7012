import { describe, expect, it } from 'vitest';
import { readSignedFlags } from '../../../../../functions/cli/commands/console.ts';

const GATEWAY = 'https://abc123.execute-api.eu-west-1.amazonaws.com';

describe('flags of npm run console', () => {
  it.each([
    [[`--url=${GATEWAY}`], {}, { url: GATEWAY, region: 'eu-west-1', port: 8081 }],
    [['--url', `${GATEWAY}/`, '--port', '0'], {}, { url: GATEWAY, region: 'eu-west-1', port: 0 }],
    [['--url', `${GATEWAY}.cn`], {}, { url: `${GATEWAY}.cn`, region: 'eu-west-1', port: 8081 }],
    [
      ['--url', GATEWAY, '--region', 'us-east-2'],
      { AWS_REGION: 'eu-central-1' },
      { url: GATEWAY, region: 'us-east-2', port: 8081 },
    ],
    [
      ['--url', 'https://cairn.example.com'],
      { AWS_REGION: 'eu-central-1' },
      { url: 'https://cairn.example.com', region: 'eu-central-1', port: 8081 },
    ],
    [
      ['--url', 'http://127.0.0.1:9000', '--region', 'x'],
      {},
      { url: 'http://127.0.0.1:9000', region: 'x', port: 8081 },
    ],
  ])('%j are read', (argv, environment, flags) => {
    expect(readSignedFlags(argv, environment)).toEqual({ kind: 'flags', flags });
  });

  it.each([
    [[], ['--url is needed: where the deployment answers, its output ApiUrl']],
    [['--url'], ['--url needs a value']],
    [
      ['--ulr', GATEWAY],
      [`unknown flag --ulr, did you mean --url?`, expect.stringMatching(/^unexpected argument/)],
    ],
    [['--host=0.0.0.0'], ['unknown flag --host, see --help']],
    [
      ['--url', 'http://cairn.example.com', '--region', 'eu-west-1'],
      ['--url "http://cairn.example.com" is not the URL of a deployment, such as https://cairn.example.com'],
    ],
    [
      ['--url', `${GATEWAY}/v1?a=b`, '--port', '70000'],
      [
        `--url "${GATEWAY}/v1?a=b" is not the URL of a deployment, such as https://cairn.example.com`,
        '--port "70000" is not a port, a number from 0 to 65535 is accepted',
      ],
    ],
    [
      ['--url', 'https://cairn.example.com'],
      ['the region of cairn.example.com is not known, give it with --region, such as eu-west-1'],
    ],
  ])('%j are refused, with what would be accepted', (argv, mistakes) => {
    expect(readSignedFlags(argv, {})).toEqual({ kind: 'mistakes', mistakes });
  });

  it('--help asks for help, which names every flag', () => {
    const reading = readSignedFlags(['--help'], {});
    const help = reading.kind === 'help' ? reading.help : '';
    for (const flag of ['--url', '--region', '--port', '--help']) expect(help).toContain(`  ${flag}`);
  });
});
