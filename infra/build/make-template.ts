import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { App, type IStackSynthesizer } from 'aws-cdk-lib';
import { PROJECT_ROOT } from '../aws/bundling/options.ts';
import { CairnStack } from '../aws/cairn-stack.ts';
import { type Deployment, readDeployment, stackNameOf } from '../aws/deployment.ts';
import { HELP, readTemplateFlags, type TemplateFlags } from './template.ts';
import { readme } from './readme.ts';
import { zip } from './template-zip.ts';
import { ZipSynthesizer } from './zip.ts';

const TEMPLATE = 'cairn.template.json';

const reading = readTemplateFlags(process.argv.slice(2));
if (reading.kind === 'help') console.log(HELP);
else if (reading.kind === 'mistakes') fail(reading.mistakes.join('\n'));
else make(reading.flags);

function make({ settings, releases, out }: TemplateFlags): void {
  const deployment = readDeployment({
    releases: resolve(releases),
    ...(settings !== undefined && { settings: resolve(settings) }),
  });
  if (!deployment.ok) return fail(deployment.message);
  const folder = resolve(out);
  // What a former run left there goes, and nothing of anybody else.
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (found.length > 0 && !found.includes(TEMPLATE)) {
    return fail(`--out ${out} has other files in it, an empty or a new folder is accepted`);
  }
  for (const file of found.filter((name) => name.endsWith('.zip'))) rmSync(join(folder, file));
  mkdirSync(folder, { recursive: true });
  writeTemplate(deployment.deployment, folder);
  console.log(`${join(out, 'README.md')} has the commands that deploy it`);
}

function writeTemplate(deployment: Deployment, folder: string): void {
  const stackName = stackNameOf(deployment.settings);
  const synthesizer = new ZipSynthesizer();
  const { context } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')) as {
    readonly context: Record<string, unknown>;
  };
  const work = mkdtempSync(join(tmpdir(), 'cairn-template-'));
  try {
    const app = new App({ outdir: work, analyticsReporting: false, context });
    new CairnStack(app, stackName, { deployment, synthesizer: synthesizer as IStackSynthesizer });
    const { template } = app.synth().getStackByName(stackName);
    for (const archive of synthesizer.archives) {
      const entries = filesBelow(join(work, archive.folder));
      writeFileSync(join(folder, archive.file), zip(entries));
    }
    writeFileSync(join(folder, TEMPLATE), `${JSON.stringify(template, null, 1)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const archives = synthesizer.archives.map(({ file }) => file).toSorted();
  writeFileSync(join(folder, 'README.md'), readme({ stackName, template: TEMPLATE, archives }));
}

function filesBelow(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: relative(folder, path).replaceAll('\\', '/'),
      content: readFileSync(path),
    }));
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
