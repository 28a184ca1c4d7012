import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../../infra/aws/bundling/options.ts';
import { MAKE_TEMPLATE } from '../../../../infra/build/template.ts';
import { zip } from '../../../../infra/build/zip.ts';
import { givenOf } from '../../../helpers/cli/scripts.ts';
import { startLambda } from '../../../helpers/lambda/lambda-host.ts';
import { textsIn } from '../../../helpers/template/template.ts';
import { unzip } from './read-zip.ts';

const dir = mkdtempSync(join(tmpdir(), 'cairn-published-'));
const out = join(dir, 'out');
const settings = join(dir, 'settings.json');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Resource {
  readonly Type: string;
  readonly Properties: { readonly Code: unknown };
}
interface Template {
  readonly Parameters: Record<string, unknown>;
  readonly Resources: Record<string, Resource>;
}

function make(...flags: string[]) {
  const run = promisify(execFile);
  return run(process.execPath, ['infra/build/template.ts', ...flags], { cwd: PROJECT_ROOT });
}

describe('a published template', () => {
  let template: Template;
  let archives: string[];

  beforeAll(async () => {
    const registryBuckets = [{ bucket: 'registry' }];
    writeFileSync(settings, JSON.stringify({ stage: 'test', registryBuckets }));
    mkdirSync(out);
    // Of a former run.
    writeFileSync(join(out, 'cairn.template.json'), '{}');
    writeFileSync(join(out, 'query-of-before.zip'), '');
    await make('--settings', settings, '--out', out);
    template = JSON.parse(readFileSync(join(out, 'cairn.template.json'), 'utf8')) as Template;
    archives = readdirSync(out).filter((file) => file.endsWith('.zip'));
  });

  it('asks where the code is, and nothing else', () => {
    expect(template.Parameters).toEqual({
      CodeBucket: expect.objectContaining({ Type: 'String' }),
      CodePrefix: expect.objectContaining({ Type: 'String', Default: '' }),
    });
    expect(template).not.toHaveProperty('Rules');
  });

  it('has nothing of CDK in it', () => {
    const traces = textsIn(template).filter((text) => /cdk-|aws-cdk|hnb659fds|AWS::CDK/i.test(text));
    expect(traces).toEqual([]);
    for (const resource of Object.values(template.Resources)) expect(resource).not.toHaveProperty('Metadata');
  });

  it('takes each function from an archive that is there, and needs every archive', () => {
    const functions = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    const code = functions.map(({ Properties }) => Properties.Code);
    const expected = archives.map((file) => ({
      S3Bucket: { Ref: 'CodeBucket' },
      S3Key: { 'Fn::Join': ['', [{ Ref: 'CodePrefix' }, file]] },
    }));
    expect(code).toHaveLength(archives.length);
    expect(code).toEqual(expect.arrayContaining(expected));
    expect(archives.map((file) => file.replace(/-[0-9a-f]{16}\.zip$/, ''))).toEqual(
      expect.arrayContaining(['manage', 'query', 'run-pruner', 'sync-releases', 'watch']),
    );
  });

  it('comes with the commands that deploy it, under the name of its stage', () => {
    const text = readFileSync(join(out, 'README.md'), 'utf8');
    expect(text).toContain('aws cloudformation deploy --stack-name Cairn-test ');
    for (const file of archives) expect(text).toContain(`\`${file}\``);
  });

  it('has code that runs', async () => {
    const bundleDir = join(dir, 'query');
    const archive = archives.find((file) => file.startsWith('query-'))!;
    for (const { name, content, mode } of unzip(readFileSync(join(out, archive)))) {
      expect(mode).toBe(0o100644);
      mkdirSync(dirname(join(bundleDir, name)), { recursive: true });
      writeFileSync(join(bundleDir, name), content);
    }
    const environment = {
      AWS_REGION: 'eu-west-1',
      TABLE_NAME: 'a',
      SYNC_INTERVAL_MINUTES: '10',
      RETIREMENT_GRACE_DAYS: '14',
    };
    const lambda = await startLambda({ bundleDir, environment });
    try {
      const [method, path] = ['GET', '/healthz'];
      const routeKey = `${method} ${path}`;
      const http = { method, path, sourceIp: '127.0.0.1' };
      const result = await lambda.invoke({
        version: '2.0',
        routeKey,
        rawPath: path,
        rawQueryString: '',
        headers: {},
        requestContext: { http, requestId: 'a', routeKey },
        isBase64Encoded: false,
      });
      expect(result, lambda.logs()).toMatchObject({ ok: true, payload: { statusCode: 200 } });
    } finally {
      await lambda.stop();
    }
  });

  it('leaves the files of others alone', async () => {
    await expect(make('--out', dir)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has other files in it') as string,
    });
    expect(readdirSync(dir)).toContain('settings.json');
  });

  it('is not made of settings with mistakes', async () => {
    const bad = join(dir, 'bad.json');
    writeFileSync(bad, '{"stages": "test"}');
    await expect(make('--settings', bad, '--out', join(dir, 'none'))).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean "stage"') as string,
    });
    expect(readdirSync(dir)).not.toContain('none');
  });
});

describe('its flags', () => {
  const read = (...argv: readonly string[]) => {
    const given = givenOf(MAKE_TEMPLATE, argv);
    return ['settings', 'releases', 'out'].map((name) => given.text(name));
  };

  it('have defaults, and are taken as they are given', () => {
    expect(read()).toEqual([undefined, 'infra/releases.json', 'dist/template']);
    expect(read('--settings', 'a.json', '--releases=b.json', '--out', 'c')).toEqual([
      'a.json',
      'b.json',
      'c',
    ]);
  });
});

describe('an archive', () => {
  const files = [
    { name: 'b/ü.txt', content: Buffer.from('grüße '.repeat(1000)) },
    { name: 'a.bin', content: Buffer.alloc(0) },
    { name: 'index.mjs', content: Buffer.from('export {};') },
  ];

  it('gives back what was put in, in the order of names', () => {
    expect(unzip(zip(files)).map(({ name, content }) => ({ name, content }))).toEqual(
      files.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });

  it('is the same for the same files, in whatever order they come', () => {
    expect(zip(files.toReversed()).equals(zip(files))).toBe(true);
  });
});
