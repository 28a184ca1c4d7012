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
import { parseArgs } from 'node:util';
import { nearestName } from '@cairn/shared/text/nearest';
import { App, type IStackSynthesizer } from 'aws-cdk-lib';
import { PROJECT_ROOT } from '../aws/bundling/options.ts';
import { CairnStack } from '../aws/cairn-stack.ts';
import { type Deployment, readDeployment, stackNameOf } from '../aws/deployment.ts';
import { zip, ZipSynthesizer } from './zip.ts';

interface TemplateFlags {
  readonly settings: string | undefined;
  readonly releases: string;
  readonly out: string;
}

type TemplateFlagReading =
  | { readonly kind: 'flags'; readonly flags: TemplateFlags }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly string[] };

const TEMPLATE = 'cairn.template.json';

const OPTIONS = {
  settings: { type: 'string' },
  releases: { type: 'string', default: 'infra/releases.json' },
  out: { type: 'string', default: 'dist/template' },
  help: { type: 'boolean', default: false },
} as const;

export const HELP = `Makes a template that is deployed without CDK.

Usage: npm run template -- [flags]

  --settings FILE  what to choose, see docs/deploy.md (every setting has its
                   default)
  --releases FILE  what to follow (infra/releases.json)
  --out DIR        where template, code and commands go (dist/template)
  --help           this text
`;

/** Reads the command line; every mistake is told at once. */
export function readTemplateFlags(argv: readonly string[]): TemplateFlagReading {
  const reading = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const mistakes: string[] = [];
  for (const token of reading.tokens) {
    if (token.kind === 'positional')
      mistakes.push(`unexpected argument "${token.value}"; flags begin with --`);
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(OPTIONS, token.name);
    if (!known) mistakes.push(unknownFlag(token.rawName));
    else if (token.name === 'help' && token.value !== undefined) mistakes.push('--help takes no value');
    else if (token.name !== 'help' && isMissing(token)) mistakes.push(`${token.rawName} needs a value`);
  }
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes };
  const { help, settings, releases, out } = reading.values as TemplateFlags & { readonly help: boolean };
  return help ? { kind: 'help' } : { kind: 'flags', flags: { settings, releases, out } };
}

/** `--out --help` lacks a folder, unlike `--out=--help`. */
function isMissing({ value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined }) {
  return !value || (!inlineValue && value.startsWith('--'));
}

function unknownFlag(name: string): string {
  const nearest = nearestName(name.replace(/^-+/, ''), Object.keys(OPTIONS));
  return nearest ? `unknown flag ${name}, did you mean --${nearest}?` : `unknown flag ${name}, see --help`;
}

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

interface TemplateFacts {
  readonly stackName: string;
  readonly template: string;
  readonly archives: readonly string[];
}

/** What to do with the folder, in commands to paste. */
export function readme({ stackName, template, archives }: TemplateFacts): string {
  return `# ${stackName}, without CDK

\`${template}\` makes the whole stack. These files are the code of its functions:

${archives.map((file) => `- \`${file}\``).join('\n')}

Choose a bucket of yours in the region of the stack, and run this in this folder:

\`\`\`
BUCKET=my-bucket
PREFIX=cairn/

aws s3 cp . "s3://$BUCKET/$PREFIX" --recursive --exclude '*' --include '*.zip'
aws cloudformation deploy --stack-name ${stackName} --template-file ${template} \\
    --s3-bucket "$BUCKET" --s3-prefix "\${PREFIX%/}" --capabilities CAPABILITY_NAMED_IAM \\
    --parameter-overrides "CodeBucket=$BUCKET" "CodePrefix=$PREFIX"
aws cloudformation describe-stacks --stack-name ${stackName} --query 'Stacks[0].Outputs' --output table
\`\`\`

The output \`TryIt\` is a first request. To update, make the template again and run the same commands. Keep the folder of
the version before: the same commands, run there, bring it back. Any other name of a stack will do, up to 40 characters:
whatever has a name begins with it.
`;
}

if (import.meta.main) {
  const reading = readTemplateFlags(process.argv.slice(2));
  if (reading.kind === 'help') console.log(HELP);
  else if (reading.kind === 'mistakes') fail(reading.mistakes.join('\n'));
  else make(reading.flags);
}
