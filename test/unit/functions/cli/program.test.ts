import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../functions/cli/program.ts';
import { runCli } from '../../../helpers/cli/cli.ts';

describe('cairn', () => {
  it('lists its commands, and exits with 64 when it is called without one', async () => {
    const asked = await runCli(['--help']);
    const bare = await runCli([]);
    expect(asked.code).toBe(0);
    expect(bare).toMatchObject({ code: 64, out: asked.out });
    for (const { name, summary } of COMMANDS) expect(asked.out).toContain(`  ${name.padEnd(19)}${summary}\n`);
  });

  it('prints its version', async () => {
    expect((await runCli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(COMMANDS.map(({ name }) => name))('has help for %s, with examples, in 80 columns', async (name) => {
    const { code, out } = await runCli([...name.split(' '), '--help']);
    const command = COMMANDS.find((other) => other.name === name)!;
    expect(code).toBe(0);
    expect(out).toContain(`Usage: cairn ${name} ${command.arguments}`);
    expect(out).toContain(`\n  ${command.examples[0]}\n`);
    for (const flag of Object.keys(command.flags)) expect(out).toContain(`--${flag}`);
    const [text = ''] = out.split('Example');
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('names itself as it is called', async () => {
    const { out } = await runCli(['paths', '--help'], { name: 'oc cairn' });
    expect(out).toContain('Usage: oc cairn paths FROM [TO] [flags]\n');
    expect(out).toContain('\n  oc cairn paths 4.14.20 4.16 --url');
    expect((await runCli(['nothing'], { name: 'oc cairn' })).err).toMatch(
      /^oc cairn: "nothing" is no command/,
    );
  });

  it.each([
    [['pahts'], '"pahts" is no command, did you mean paths?'],
    [['prune'], 'prune needs one of these: prune history, prune resources, prune images'],
    [['prune', 'things'], '"prune things" is no command: prune history, prune resources, prune images'],
    [['paths', '--chanel', 'x'], 'unknown flag --chanel, did you mean --channel?'],
    [['paths', '4.14.8', '--channel'], '--channel needs a value: NAME'],
    [['paths', '4.14.8', '--channel', '--arch', 'amd64'], '--channel needs a value: NAME'],
    [['paths', '4.14.8', '--prerelease=yes'], '--prerelease takes no value'],
    [
      ['paths', '4.14.8', '-o', 'jsn'],
      '--output "jsn" is not accepted, text, json, yaml, markdown, imageset, images are, did you mean json?',
    ],
  ])('refuses %j', async (argv, told) => {
    const { code, out, err } = await runCli(argv);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toContain(`cairn: ${told}\n`);
  });

  it('prints every mistake of a command line at once', async () => {
    const { err } = await runCli(['plan', '--tp', '4.16', '--policy', 'n-9', '--strict=1']);
    expect(err.split('\n').filter(Boolean)).toHaveLength(4);
  });
});

describe('completion', () => {
  const complete = async (...words: readonly string[]) => {
    const { out } = await runCli(['completion', 'bash']);
    const script = `${out}
COMP_WORDS=(cairn ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_cairn; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
  };

  it('completes commands, those of a group, flags and the values that a flag may have', async () => {
    expect(await complete('p')).toEqual(['paths', 'plan', 'prune']);
    expect(await complete('prune', 'i')).toEqual(['images']);
    expect(await complete('paths', '--acc')).toEqual(['--accept-risk']);
    expect(await complete('plan', '--strategy', 'c')).toEqual(['control-plane-only']);
    expect(await complete('prune', 'images', '--keep-t')).toEqual(['--keep-tag-revisions']);
    expect(await complete('completion', 'z')).toEqual(['zsh']);
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, out } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    expect(out).toContain('accept-risk');
  });

  it('refuses other shells', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({
      code: 64,
      err: 'cairn: a shell is needed: bash, zsh, fish are accepted\n',
    });
  });
});
