import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { copyCheckout, type Ended, node, npm, remove } from './checkout.ts';

const checkout = copyCheckout(['package.json', 'version']);
afterAll(() => remove(checkout));

const manifest = join(checkout, 'shared/package.json');
const dist = join(checkout, 'shared/dist');
const broken = join(checkout, 'shared/broken.ts');
const source = readFileSync(manifest, 'utf8');

const prepack = (): Promise<Ended> => node(checkout, 'infra/build/package.ts', 'prepack');
const postpack = (): Promise<Ended> => node(checkout, 'infra/build/package.ts', 'postpack');
const manifestNow = (): string => readFileSync(manifest, 'utf8');

const QUIET = { code: 0, stdout: '', stderr: '' };

it('no packing that was killed has left its package.json in this checkout', () => {
  const ours = fileURLToPath(new URL('../../../../shared/package.json', import.meta.url));
  const hint = '`node infra/build/package.ts postpack` brings the package.json of the sources back';
  expect(JSON.parse(readFileSync(ours, 'utf8')), hint).toMatchObject({ exports: { './*': './*.ts' } });
});

describe('packing', () => {
  beforeEach(() => {
    rmSync(dist, { recursive: true, force: true });
    rmSync(broken, { force: true });
    writeFileSync(manifest, source);
  });

  it('puts the package.json of the sources back, byte by byte', async () => {
    expect(await prepack()).toEqual(QUIET);
    expect(JSON.parse(manifestNow())).toMatchObject({ exports: { './*': { default: './dist/*.js' } } });
    expect(await postpack()).toEqual(QUIET);
    expect(manifestNow()).toBe(source);
    expect(existsSync(dist)).toBe(false);
    expect(existsSync(join(checkout, 'shared/LICENSE'))).toBe(false);
  });

  it('is done again from the sources when the last one was killed', async () => {
    await prepack();
    const { code, stderr } = await prepack();
    expect(code).toBe(0);
    expect(stderr).toBe('prepack: brought back the package.json of a packing that was killed\n');
    await postpack();
    expect(manifestNow()).toBe(source);
  });

  it('keeps a package.json that was changed after the last one was killed', async () => {
    await prepack();
    const changed = source.replace('"Apache-2.0"', '"MIT"');
    writeFileSync(manifest, changed);
    expect(await prepack()).toEqual(QUIET);
    expect(manifestNow()).toContain('"MIT"');
    await postpack();
    expect(manifestNow()).toBe(changed);
  });

  it('may be undone twice, or without having begun', async () => {
    expect(await postpack()).toEqual(QUIET);
    expect(await postpack()).toEqual(QUIET);
    expect(manifestNow()).toBe(source);
  });

  it.each([
    ['whose sources are lost', () => rmSync(dist, { recursive: true })],
    ['that somebody has changed', () => writeFileSync(manifest, manifestNow().replace('Apache-2.0', 'MIT'))],
  ])('refuses a package.json of the tarball %s, and loses nothing', async (_case, happen) => {
    await prepack();
    happen();
    const [left, kept] = [manifestNow(), existsSync(dist)];
    for (const step of [prepack, postpack]) {
      const { code, stderr } = await step();
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^p\w+: shared\/package\.json exports \{.*\} as "\.\/.*`git checkout shared\/package\.json`/,
      );
    }
    expect([manifestNow(), existsSync(dist)]).toEqual([left, kept]);
  });

  it('that fails says where, makes no tarball and changes nothing', async () => {
    writeFileSync(broken, `export const count: number = 'many';\n`);
    const { code, stderr } = await npm(checkout, 'pack', '--workspace=shared');
    expect(code).not.toBe(0);
    expect(stderr).toContain('prepack: tsc -p infra/build/tsconfig.build.json ended with');
    expect(stderr).toContain(
      `shared/broken.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'`,
    );
    expect(manifestNow()).toBe(source);
    expect(existsSync(join(checkout, 'cairn-shared-0.1.0.tgz'))).toBe(false);
  });

  it('refuses sources that Node 20 could not run', async () => {
    writeFileSync(broken, `export const both = new Set([1]).union(new Set([2]));\n`);
    const { code, stderr } = await prepack();
    expect(code).toBe(1);
    expect(stderr).toContain(`shared/broken.ts(1,34): error TS2550: Property 'union' does not exist`);
  });
});
