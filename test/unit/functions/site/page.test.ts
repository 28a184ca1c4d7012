import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManageApp } from '../../../../functions/manage-app.ts';
import { createQueryApp } from '../../../../functions/query-app.ts';
import type { ConsoleManifest } from '../../../../functions/site/page.ts';
import type { SignIn } from '../../../../functions/site/schema.ts';
import { createTableClient } from '../../../../functions/store/client.ts';
import { buildConsole } from '../../../../infra/build/console.ts';
import { type Front, startFront } from '../../../../infra/local/front.ts';
import { strictly } from '../../../helpers/lambda/strict.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-console-'));
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const PAGES = ['/versions', '/channels', '/risks', '/clusters', '/updates', '/pruners', '/signed-in'];

/** A page of three files. */
function writeSource(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const source = join(folder, name);
  mkdirSync(source);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(source, file), text);
  return source;
}

/** Bytes that are no text. */
const FONT = Uint8Array.from({ length: 256 }, (_, byte) => byte);

const INDEX = `<!doctype html>
<title>Ä page</title>
<link rel="stylesheet" href="/assets/main.css" />
<script type="module" src="/assets/main.js"></script>
`;
const source = writeSource('source', {
  'index.html': INDEX,
  'main.tsx': `import './page.css'; import { word } from './word.ts'; document.title = word;`,
  'word.ts': `export const word: string = 'grün';`,
  'page.css': `@font-face { font-family: a; src: url('a.woff2'); } body { color: green; font-family: a; }`,
  'a.woff2': FONT,
});

const built = join(folder, 'built');
buildConsole(built, source);
const { page, assets } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as ConsoleManifest;
const [script, style] = ['.js', '.css'].map((end) => assets.find(({ file }) => file.endsWith(end))!);

const fronts: Front[] = [];
/** Behind the local front; nothing here asks the table. */
async function serve(consoleFolder?: string, token?: string, signIn?: SignIn): Promise<string> {
  const table = { client: createTableClient(1, { region: 'us-east-1' }), name: 'none' };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const front = await startFront({
    host: '127.0.0.1',
    port: 0,
    token,
    apps: {
      query: strictly(
        createQueryApp({
          table,
          log,
          sync: { intervalMs: 600_000, retirementGraceMs: 0 },
          ...(consoleFolder !== undefined && { consoleFolder }),
          ...(signIn && { signIn }),
        }),
      ),
      manage: createManageApp({
        table,
        log,
        launcher: { launchSync: async () => 'never', launchPruner: async () => 'never' },
        sync: { intervalMs: 600_000 },
        historyLimit: 100,
        openUploads: () => Promise.reject(new Error('never')),
      }),
    },
  });
  fronts.push(front);
  return front.url;
}

let url: string;
beforeAll(async () => {
  url = await serve(built);
});
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers: { 'accept-encoding': 'identity', ...headers } });

describe('a build', () => {
  it('is a page, a script and a style sheet, each compressed too, and what names them', () => {
    const files = [page, ...assets].flatMap(({ file }) => [file, `${file}.gz`]);
    expect(readdirSync(built).toSorted()).toEqual([...files, 'manifest.json'].toSorted());
    expect([page, script, style]).toEqual([
      { file: 'index.html', mediaType: 'text/html; charset=utf-8', hash: expect.any(String) },
      {
        file: expect.stringMatching(/^main-[0-9a-f]{10}\.js$/),
        mediaType: 'text/javascript; charset=utf-8',
        hash: expect.any(String),
      },
      {
        file: expect.stringMatching(/^main-[0-9a-f]{10}\.css$/),
        mediaType: 'text/css; charset=utf-8',
        hash: expect.any(String),
      },
    ]);
    for (const { file } of [page, ...assets]) {
      expect(gunzipSync(readFileSync(join(built, `${file}.gz`)))).toEqual(readFileSync(join(built, file)));
    }
  });

  it('names the script and the style sheet in the page', () => {
    expect(readFileSync(join(built, 'index.html'), 'utf8')).toBe(
      INDEX.replace('main.css', style!.file).replace('main.js', script!.file),
    );
  });

  it('is the same again from the same sources, elsewhere too, and another from others', () => {
    const files = {
      'index.html': INDEX,
      'page.css': 'b {}',
      'main.tsx': `import './page.css'; alert(1);`,
    };
    const builds = [
      writeSource('one', files),
      writeSource('two', files),
      writeSource('three', { ...files, 'main.tsx': `import './page.css'; alert(2);` }),
    ].map((from) => {
      buildConsole(join(from, 'built'), from);
      return readFileSync(join(from, 'built/manifest.json'), 'utf8');
    });
    expect(builds[1]).toBe(builds[0]);
    expect(builds[2]).not.toBe(builds[0]);
  });

  it('loads one script at first, of which what comes later takes what both use', async () => {
    const later = './later.ts';
    const from = writeSource('parts', {
      'index.html': INDEX,
      'page.css': 'b {}',
      'common.ts': 'export const common = {}; export const alone = {};',
      'later.ts': `import { alone, common } from './common.ts'; export const taken = [common, alone];`,
      'main.tsx': `import './page.css'; import { common } from './common.ts';
        Object.assign(globalThis, { cairnParts: { common, later: () => import('${later}') } });`,
    });
    buildConsole(join(from, 'built'), from);
    const scripts = readdirSync(join(from, 'built')).filter((file) => file.endsWith('.js'));
    const hashes = new Set(scripts.map((file) => /-([0-9a-f]{10})\.js$/.exec(file)?.[1]));
    expect([scripts.length, hashes.size]).toEqual([2, 1]);
    const main = scripts.find((file) => file.startsWith('main-'))!;
    expect(readFileSync(join(from, 'built', main), 'utf8')).not.toMatch(/(^|;)import\W/);
    await import(pathToFileURL(join(from, 'built', main)).href);
    const { cairnParts: parts } = globalThis as unknown as {
      cairnParts: { common: object; later(): Promise<{ taken: object[] }> };
    };
    expect((await parts.later()).taken[0]).toBe(parts.common);
  });

  it.each([
    ['without a style sheet that the page names', INDEX, 'alert(1);'],
    ['with a style sheet that the page does not name', INDEX.replace(/<link.*/, ''), `import './page.css';`],
    ['with a page that names its script twice', `${INDEX}${INDEX}`, `import './page.css';`],
  ])('%s is refused', (name, html, main) => {
    const from = writeSource(name, { 'index.html': html, 'page.css': 'b {}', 'main.tsx': main });
    expect(() => buildConsole(join(from, 'built'), from)).toThrow(/^index\.html of the console names main/);
  });
});

describe('pages', () => {
  it.each(['/', '/?from=4.14.1&to=latest', ...PAGES, '/versions?arch=arm64'])(
    '%s is the page for a browser',
    async (path) => {
      const response = await get(path, { accept: BROWSER });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        etag: `"${page.hash}"`,
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(await response.text()).toBe(readFileSync(join(built, 'index.html'), 'utf8'));
    },
  );

  it.each([BROWSER, 'text/html', 'text/*', 'text/html;q=0.5, application/json;q=0.4'])(
    '/ is the page for who accepts %s',
    async (accept) => {
      expect((await get('/', { accept })).headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it.each(['*/*', 'application/json', 'application/*', 'image/png', 'text/html;q=0.1, */*'])(
    '/ is the list of routes for who accepts %s',
    async (accept) => {
      const response = await get('/', { accept });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/json',
        vary: 'Accept, Accept-Encoding',
        'cache-control': 'private, no-cache',
      });
      const { name, routes } = (await response.json()) as { name: string; routes: { path: string }[] };
      expect(name).toBe('Cairn');
      const paths = routes.map(({ path }) => path);
      expect(
        paths.filter((path) => [...PAGES, '/sign-in.json'].includes(path) || path.startsWith('/assets')),
      ).toEqual([]);
      expect(paths).toContain('/v1/channel-index/{arch}');
    },
  );

  it.each(PAGES)('%s is the page whatever is accepted', async (path) => {
    expect((await get(path, { accept: 'application/json' })).headers.get('content-type')).toBe(
      'text/html; charset=utf-8',
    );
  });
});

describe('files', () => {
  it.each([
    ['script', script!],
    ['style sheet', style!],
  ])('the %s is kept for ever', async (_name, { file, mediaType, hash }) => {
    const response = await get(`/assets/${file}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': mediaType,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      etag: `"${hash}"`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(await response.text()).toBe(readFileSync(join(built, file), 'utf8'));
  });

  it.each(['identity', 'gzip'])('a font is served byte by byte in %s', async (encoding) => {
    const font = assets.find(({ file }) => file.endsWith('.woff2'))!;
    const response = await get(`/assets/${font.file}`, { 'accept-encoding': encoding });
    expect(response.headers.get('content-type')).toBe('font/woff2');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(FONT);
  });

  it.each([
    'nothing.js',
    'index.html',
    'manifest.json',
    'main.js',
    '..%2Fmanifest.json',
    '__proto__',
    `${'x'.repeat(500)}.js`,
  ])('%s is not one of them', async (file) => {
    const response = await get(`/assets/${file}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
    expect(await response.json()).toMatchObject({ type: 'urn:cairn:problem:not-found' });
  });
});

describe.each([
  ['a page', '/versions', page],
  ['the index', '/', page],
  ['a file', `/assets/${script!.file}`, script!],
])('%s', (_name, path, { file, hash }) => {
  const accept = { accept: BROWSER };

  it('comes compressed to who accepts it', async () => {
    const response = await get(path, { ...accept, 'accept-encoding': 'gzip, deflate, br' });
    expect([response.headers.get('content-encoding'), response.headers.get('etag')]).toEqual([
      'gzip',
      `"${hash}-gzip"`,
    ]);
    expect(response.headers.get('content-length')).toBe(
      String(readFileSync(join(built, `${file}.gz`)).length),
    );
    expect(await response.text()).toBe(readFileSync(join(built, file), 'utf8'));
  });

  it.each([`"${hash}"`, `"${hash}-gzip"`, `W/"${hash}-gzip"`, `"other", "${hash}"`])(
    'is not sent again to who has %s',
    async (tag) => {
      const response = await get(path, { ...accept, 'if-none-match': tag });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(`"${hash}"`);
      expect(response.headers.get('content-type')).toBeNull();
    },
  );

  it('is sent to who has another', async () => {
    expect((await get(path, { ...accept, 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD with the same headers', async () => {
    const [head, whole] = await Promise.all([get(path, accept, 'HEAD'), get(path, accept)]);
    const ofConnection = ['date', 'content-length', 'connection', 'keep-alive'];
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => !ofConnection.includes(name));
    expect(headersOf(head)).toEqual(headersOf(whole));
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('behind a token', () => {
  const token = 'a-token-that-is-long-enough-to-be-one';

  it('pages and files load without it, and nothing else does', async () => {
    const closed = await serve(built, token);
    const statusOf = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(`${closed}${path}`, { headers })).status;
    for (const path of ['/', ...PAGES, '/sign-in.json', `/assets/${script!.file}`]) {
      expect([path, await statusOf(path, { accept: BROWSER })]).toEqual([path, 200]);
    }
    expect(await statusOf('/assets/nothing.js')).toBe(404);
    for (const path of ['/openapi.json', '/v1/clusters', '/nothing']) {
      expect([path, await statusOf(path)]).toEqual([path, 401]);
    }
    expect(await statusOf('/openapi.json', { authorization: `Bearer ${token}` })).toBe(200);
  });
});

describe('how to sign in', () => {
  const oidc: SignIn = {
    kind: 'oidc',
    issuer: 'https://login.example.com/realms/ops',
    clientId: 'cairn-console',
    scopes: ['openid', 'fleet:read'],
  };
  const endpoints = {
    authorizationEndpoint: 'https://login.example.com/authorize',
    tokenEndpoint: 'https://tokens.example.com/token',
  };

  it.each<[string, SignIn | undefined, SignIn, string]>([
    ['nothing is said', undefined, { kind: 'token' }, "'self'"],
    ['only signed requests are taken', { kind: 'iam' }, { kind: 'iam' }, "'self'"],
    ['there is an issuer', oidc, oidc, "'self' https://login.example.com"],
    [
      'its endpoints are known',
      { ...oidc, ...endpoints },
      { ...oidc, ...endpoints },
      "'self' https://tokens.example.com",
    ],
  ])('where %s', async (_what, given, told, connections) => {
    const at = await serve(built, undefined, given);
    const answer = await fetch(`${at}/sign-in.json`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await answer.json()).toEqual(told);
    const { headers } = await fetch(`${at}/signed-in`);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src ${connections}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('a browser that has the page under another policy gets it anew, as it would keep that policy', async () => {
    const [before, after] = await Promise.all([serve(built), serve(built, undefined, oidc)]);
    const tag = (await fetch(`${before}/versions`)).headers.get('etag')!;
    const ask = (at: string, held: string) => fetch(`${at}/versions`, { headers: { 'if-none-match': held } });
    expect((await ask(before, tag)).status).toBe(304);
    const anew = await ask(after, tag);
    expect(anew.status).toBe(200);
    expect((await ask(after, anew.headers.get('etag')!)).status).toBe(304);
  });
});

describe('without a console', () => {
  it('/ is the list of routes for everyone, and there are no pages', async () => {
    const bare = await serve();
    const index = await fetch(bare, { headers: { accept: BROWSER } });
    expect(index.headers.get('content-type')).toBe('application/json');
    for (const path of [...PAGES, '/assets/main.js']) {
      const response = await fetch(`${bare}${path}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        detail: 'the console is not served here; GET /openapi.json lists what is',
      });
    }
  });

  it('that should be there, the request fails and nothing else', async () => {
    const broken = await serve(join(folder, 'missing'));
    expect((await fetch(`${broken}/versions`)).status).toBe(500);
    expect((await fetch(`${broken}/healthz`)).status).toBe(200);
  });
});
