import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import manifest from '../../../package.json' with { type: 'json' };

/** The npm package supports one platform. Elsewhere CHROME_PATH names an installed browser. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';
const { CHROME_PATH } = process.env;

/** Reason for skipping browser tests; null if a browser exists. */
export const withoutBrowser =
  CHROME_PATH !== undefined || isPackaged
    ? null
    : `no Chromium comes with npm for ${process.platform}-${process.arch}; set CHROME_PATH to one of this machine`;

if (withoutBrowser !== null) console.log(`tests in the browser are skipped: ${withoutBrowser}`);

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Uses bundled fonts, so that pages look the same on every machine. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = CHROME_PATH ?? (await packagedBrowser());
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: fontsFile() },
  });
}

function fontsFile(): string {
  const fonts = fileURLToPath(new URL('../../../node_modules/dejavu-fonts-ttf/ttf/', import.meta.url));
  const folder = join(tmpdir(), 'cairn-fonts');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'fonts.conf');
  // Chromium falls back to a serif face for unknown families.
  const others = ['*Serif*', '*Condensed*', '*ExtraLight*', '*Math*'].map((name) => `<glob>${name}</glob>`);
  // Written atomically: the browser of another test file can read it now.
  writeFileSync(
    `${file}.${process.pid}`,
    `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${folder}</cachedir>` +
      `<selectfont><rejectfont>${others.join('')}</rejectfont></selectfont></fontconfig>\n`,
  );
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** Makes the package unpack system libraries that a bare machine lacks. */
const UNPACK_LIBRARIES = { AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };

async function packagedBrowser(): Promise<string> {
  const folder = unpackOnce();
  const outer = { ...process.env };
  // The package unpacks into the temporary folder and reuses any files there.
  Object.assign(process.env, UNPACK_LIBRARIES, { TMPDIR: folder });
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    return await packaged.executablePath();
  } finally {
    for (const name of ['TMPDIR', ...Object.keys(UNPACK_LIBRARIES)]) {
      if (outer[name] === undefined) delete process.env[name];
      else process.env[name] = outer[name];
    }
  }
}

/** Unpacks atomically into a folder per version, because test files run concurrently. */
function unpackOnce(): string {
  const version = manifest.devDependencies['@sparticuz/chromium'];
  const folder = join(tmpdir(), `cairn-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const staging = mkdtempSync(`${folder}-`);
  const script = "import packaged from '@sparticuz/chromium'; await packaged.executablePath();";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    env: { ...process.env, ...UNPACK_LIBRARIES, TMPDIR: staging },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Chromium could not be unpacked: ${stderr}`);
  try {
    renameSync(staging, folder);
  } catch {
    // Another process was faster.
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}
