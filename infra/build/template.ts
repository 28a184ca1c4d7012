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
import type { ParsedArgs } from '../../functions/command-line/parse.ts';
import { readScript, type Script } from '../../functions/command-line/script.ts';
import { PROJECT_ROOT } from '../aws/bundling/options.ts';
import { CairnStack } from '../aws/cairn-stack.ts';
import { type Deployment, readDeployment, stackNameOf } from '../aws/deployment.ts';
import { zip, ZipSynthesizer } from './zip.ts';

const TEMPLATE = 'cairn.template.json';

export const MAKE_TEMPLATE: Script = {
  name: 'template',
  about: 'Makes a template that is deployed without CDK.',
  usage: 'npm run template -- [flags]',
  margin: 19,
  flags: {
    settings: {
      kind: 'text',
      value: 'FILE',
      help: 'what to choose, see docs/deploy.md (every setting has its default)',
    },
    releases: {
      kind: 'text',
      value: 'FILE',
      default: 'infra/releases.json',
      help: 'what to follow (infra/releases.json)',
    },
    out: {
      kind: 'text',
      value: 'DIR',
      default: 'dist/template',
      help: 'where template, code and commands go (dist/template)',
    },
  },
};

function make(given: ParsedArgs): void {
  const settings = given.text('settings');
  const out = given.text('out')!;
  const deployment = readDeployment({
    releases: resolve(given.text('releases')!),
    ...(settings !== undefined && { settings: resolve(settings) }),
  });
  if (!deployment.ok) return fail(deployment.message);
  const folder = resolve(out);
  // Deletes only the output of a former run, never other files.
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
  writeFileSync(join(folder, 'README.md'), readme(stackName, archives));
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

/** Instructions with commands to paste. */
export function readme(stackName: string, archives: readonly string[]): string {
  return `# ${stackName}, without CDK

\`${TEMPLATE}\` makes the whole stack. These files are the code of its functions:

${archives.map((file) => `- \`${file}\``).join('\n')}

Choose a bucket of yours in the region of the stack, and run this in this folder:

\`\`\`
BUCKET=my-bucket
PREFIX=cairn/

aws s3 cp . "s3://$BUCKET/$PREFIX" --recursive --exclude '*' --include '*.zip'
aws cloudformation deploy --stack-name ${stackName} --template-file ${TEMPLATE} \\
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
  const reading = readScript(MAKE_TEMPLATE, process.argv.slice(2));
  if (reading.kind === 'help') console.log(reading.help);
  else if (reading.kind === 'mistakes') fail(reading.mistakes.join('\n'));
  else make(reading.given);
}
