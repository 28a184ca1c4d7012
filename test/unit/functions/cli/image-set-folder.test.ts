import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mirrorScript } from '../../../../functions/cli/mirror-script.ts';
import { writeFolder } from '../../../../functions/cli/write-folder.ts';
import { runCli } from '../../../helpers/cli/cli.ts';
import { loadImageSet } from '../../../helpers/path/oc-mirror.ts';
import { drawnSource } from '../../../helpers/upstream/drawn-upstream.ts';

const graph = drawnSource({ amd64: { 'stable-4.16': ['4.14.8 > 4.14.30', '4.14.30 > 4.15.9'] } });
const files = { 'stable-4.16.json': JSON.stringify(graph('stable-4.16', 'amd64')) };
const run = promisify(execFile);

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'cairn-folder-'));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const write = (folder: string, ...more: readonly string[]) =>
  runCli(
    ['paths', '4.14.8', '4.15', '--graph', 'stable-4.16.json', '-o', 'imageset', '--dir', folder, ...more],
    { files },
  );
const WRITTEN = ['01-4.14.30.yaml', '02-4.15.9.yaml', 'mirror.sh'];

describe('cairn paths -o imageset --dir', () => {
  it('writes every file and the script', async () => {
    const folder = join(work, 'out');
    const { code, out, err } = await write(folder);
    expect({ code, out }).toEqual({ code: 0, out: WRITTEN.map((name) => `${folder}/${name}\n`).join('') });
    expect(err).toBe(`2 files written. "${folder}/mirror.sh --help" explains how to mirror them.\n`);
    expect(readdirSync(work)).toEqual(['out']);
    expect(readdirSync(folder).toSorted()).toEqual(WRITTEN);
    for (const [index, version] of ['4.14.30', '4.15.9'].entries()) {
      const { channels } = loadImageSet(readFileSync(join(folder, WRITTEN[index]!), 'utf8'));
      expect(channels).toMatchObject([{ minVersion: version }]);
    }
    expect(statSync(join(folder, 'mirror.sh')).mode & 0o111).not.toBe(0);
  });

  it('writes into an empty folder, and refuses one with files without --force', async () => {
    const folder = join(work, 'out');
    mkdirSync(folder, { mode: 0o700 });
    expect((await write(folder)).code).toBe(0);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, '01-4.14.30.yaml'), 'changed');
    writeFileSync(join(folder, '07-4.18.1.yaml'), 'of a former plan');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    mkdirSync(join(folder, 'mirror-workspace'));
    const refused = await write(folder);
    expect(refused).toMatchObject({ code: 64, out: '' });
    expect(refused.err).toContain('out is not empty. Use another folder, or --force');
    expect(readFileSync(join(folder, '01-4.14.30.yaml'), 'utf8')).toBe('changed');

    expect((await write(folder, '--force')).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual([...WRITTEN, 'mirror-workspace', 'notes.txt'].toSorted());
    expect(readFileSync(join(folder, '01-4.14.30.yaml'), 'utf8')).toMatch(/^# File 1 of 2/);
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(work)).toEqual(['out']);
  });

  it('keeps a link to the folder', async () => {
    mkdirSync(join(work, 'real'));
    symlinkSync(join(work, 'real'), join(work, 'link'));
    expect((await write(join(work, 'link'))).code).toBe(0);
    expect(readdirSync(join(work, 'real')).toSorted()).toEqual(WRITTEN);
  });

  it('keeps the folder itself, which may be the current one or a mount point', async () => {
    const folder = join(work, 'out');
    mkdirSync(folder);
    const { ino } = statSync(folder);
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
    expect((await write(folder)).code).toBe(0);
    expect((await write(folder, '--force')).code).toBe(0);
    cwd.mockRestore();
    expect(statSync(folder).ino).toBe(ino);
    expect(readdirSync(folder).toSorted()).toEqual(WRITTEN);
  });

  it('creates missing parents, and removes them after an error', async () => {
    const folder = join(work, 'no', 'parent', 'out');
    const twice = { name: 'b', text: 'x' };
    const options = { force: false, isReplaced: () => true };
    await expect(writeFolder(folder, [twice, twice], options)).rejects.toThrow('EEXIST');
    expect(readdirSync(work)).toEqual([]);
    expect((await write(folder)).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(WRITTEN);
  });

  it.each([
    ['file', 'is a file. Use the name of a folder'],
    ['file/below', 'is below a file. Use the name of a folder'],
    ['link', 'is a link to a folder that does not exist. Create that folder, or use another one'],
    ['x'.repeat(300), 'is too long. Use a shorter name'],
    [join('parent', 'x'.repeat(300)), 'is too long. Use a shorter name'],
  ])('refuses %s with what to do, and leaves nothing behind', async (name, cause) => {
    writeFileSync(join(work, 'file'), 'x');
    symlinkSync(join(work, 'nowhere'), join(work, 'link'));
    expect(await write(join(work, name), '--force')).toMatchObject({
      code: 64,
      out: '',
      err: `cairn: ${join(work, name)} ${cause}\n`,
    });
    expect(readdirSync(work)).toEqual(['file', 'link']);
    expect(readFileSync(join(work, 'file'), 'utf8')).toBe('x');
  });

  it('refuses a folder that nobody may write, with what to do', async () => {
    const { code, err } = await write('/sys/kernel/cairn');
    expect(code).toBe(64);
    expect(err).toMatch(/write permission|read-only file system/);
  });

  it.each(['/proc/cairn', '/proc/cairn/below'])(
    'refuses %s, where no folder can be created',
    async (folder) => {
      const { code, err } = await write(folder);
      expect(code).toBe(64);
      expect(err).toMatch(/cannot be created\. Use another folder|write permission/);
    },
  );

  it('writes nothing without a path, or with nothing to mirror', async () => {
    const argv = (from: string, to: string) =>
      runCli(
        ['paths', from, to, '--graph', 'stable-4.16.json', '-o', 'imageset', '--dir', join(work, 'out')],
        { files },
      );
    expect((await argv('4.15.9', '4.14.8')).code).toBe(2);
    const nothing = await argv('4.15.9', '4.15.9');
    expect(nothing).toMatchObject({ code: 0, out: '' });
    expect(nothing.err).toContain('There is nothing to mirror.');
    expect(readdirSync(work)).toEqual([]);
  });

  it('leaves the former folder as it was after an error', async () => {
    const folder = join(work, 'out');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a'), 'former');
    const twice = { name: 'b', text: 'x' };
    const options = { force: true, isReplaced: () => true };
    await expect(writeFolder(folder, [twice, twice], options)).rejects.toThrow('EEXIST');
    expect(readdirSync(work)).toEqual(['out']);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('moves the former files back if not all new ones can be moved', async () => {
    const folder = join(work, 'out');
    mkdirSync(folder);
    for (const name of ['a', 'old']) writeFileSync(join(folder, name), 'former');
    const isReplaced = (): boolean => mkdirSync(join(folder, 'c'), { recursive: true }) !== '';
    const files = ['a', 'b', 'c'].map((name) => ({ name, text: 'new' }));
    await expect(writeFolder(folder, files, { force: true, isReplaced })).rejects.toThrow('EISDIR');
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'c', 'old']);
    for (const name of ['a', 'old']) expect(readFileSync(join(folder, name), 'utf8')).toBe('former');
  });

  it('trusts no file name of an answer', async () => {
    const imageSets = [{ file: 1, channel: 'stable-4.16', version: '../../x', text: 'x' }];
    const { code, err } = await runCli(
      [
        'paths',
        '4.14.8',
        '4.15',
        '--url',
        'https://cairn.example',
        '-o',
        'imageset',
        '--dir',
        join(work, 'out'),
      ],
      { fetch: async () => Response.json({ imageSets }) },
    );
    expect(code).toBe(3);
    expect(err).toContain('the answer has no imageSets');
    expect(readdirSync(work)).toEqual([]);
  });
});

describe('mirror.sh', () => {
  const oc = '#!/bin/sh\necho "oc $*"\ncase "$*" in *"$FAIL_AT"*) [ -z "$FAIL_AT" ] || exit 9;; esac\n';

  function prepare(names: readonly string[]): string {
    const folder = join(work, 'a folder');
    mkdirSync(folder);
    for (const name of names) writeFileSync(join(folder, name), '      - name: stable-4.16\n');
    writeFileSync(join(folder, 'mirror.sh'), mirrorScript(names));
    mkdirSync(join(work, 'bin'));
    writeFileSync(join(work, 'bin', 'oc'), oc);
    chmodSync(join(work, 'bin', 'oc'), 0o755);
    return folder;
  }

  async function script(folder: string, argv: readonly string[], variables: NodeJS.ProcessEnv = {}) {
    const env = { PATH: `${join(work, 'bin')}:${process.env['PATH']}`, FAIL_AT: '', ...variables };
    const result = await run('bash', [join(folder, 'mirror.sh'), ...argv], { env, cwd: work }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return {
      code: result.code,
      err: result.stderr,
      ran: result.stdout.match(/^oc mirror .*$/gm) ?? [],
      out: result.stdout,
    };
  }

  const names = ['01-4.15.1.yaml', '02-operators.yaml'];
  const registry = 'docker://registry.example:5000';

  it('mirrors the files in order, each in a workspace of its own', async () => {
    const folder = prepare(names);
    const { code, ran, out } = await script(folder, [registry, 'space here', '--', '--dry-run']);
    expect({ code, ran }).toEqual({
      code: 0,
      ran: ['01-4.15.1', '02-operators'].map(
        (name) =>
          `oc mirror -c ${folder}/${name}.yaml --workspace file://space here/${name} ${registry} --v2 --dry-run`,
      ),
    });
    expect(out).toContain('  oc apply -f space here/01-4.15.1/working-dir/cluster-resources\n');
    const byEnvironment = await script(folder, [], { MIRROR_DESTINATION: registry, MIRROR_WORKSPACE: 'w' });
    expect(byEnvironment.ran[0]).toBe(
      `oc mirror -c ${folder}/01-4.15.1.yaml --workspace file://w/01-4.15.1 ${registry} --v2`,
    );
  });

  it('writes archives, and reads them where the registry is', async () => {
    const folder = prepare(names);
    expect((await script(folder, ['file:///media/disk/'])).ran[1]).toBe(
      `oc mirror -c ${folder}/02-operators.yaml file:///media/disk/02-operators --v2`,
    );
    const { ran, out } = await script(folder, ['--from', 'file:///media/disk/', registry]);
    expect(ran[1]).toBe(
      `oc mirror -c ${folder}/02-operators.yaml --from file:///media/disk/02-operators ${registry} --v2`,
    );
    expect(out).toContain('  oc apply -f /media/disk/01-4.15.1/working-dir/cluster-resources\n');
  });

  it('stops at the first failure, and at operators whose catalogs are not filled in', async () => {
    const folder = prepare(names);
    const failed = await script(folder, [registry], { FAIL_AT: '01-' });
    expect([failed.code, failed.ran.length]).toEqual([9, 1]);
    writeFileSync(join(folder, '02-operators.yaml'), 'mirror:\n  # operators:\n    # - catalog: IMAGE\n');
    const unfilled = await script(folder, [registry]);
    expect([unfilled.code, unfilled.ran.length]).toEqual([1, 1]);
    expect(unfilled.err).toContain('02-operators.yaml has only comments');
  });

  it.each([
    [[], 'the destination is missing'],
    [['registry.example:5000'], 'the destination registry.example:5000 is not accepted'],
    [['--from', 'file:///d', 'file:///e'], 'with --from, the destination file:///e is not accepted'],
    [['--from', '/d', registry], '--from /d is not accepted'],
    [['--from'], '--from requires'],
    [['--dry-run', registry], '--dry-run is not accepted. Give flags of oc mirror after --'],
    [[registry, 'a', 'b'], 'unexpected argument b'],
  ])('refuses %j', async (argv, message) => {
    const { code, err, ran } = await script(prepare(names), argv);
    expect({ code, ran }).toEqual({ code: 64, ran: [] });
    expect(err).toContain(`mirror.sh: ${message}`);
    expect(err).toContain('Run "mirror.sh --help" for usage.\n');
  });

  it('explains its usage', async () => {
    const { code, out } = await script(prepare(names), ['--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: mirror\.sh /);
    expect(out).toContain('MIRROR_DESTINATION');
  });
});
