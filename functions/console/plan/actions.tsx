import { imageSetName, imageSets, type ImageSet } from '@cairn/shared/path/image-set';
import { channelsOf, mirrorOfReleases, neededReleases, signatureNote } from '@cairn/shared/path/mirror-list';
import type { PlanDetails } from '@cairn/shared/plan/plan';
import { useMemo, useState } from 'preact/hooks';
import { send } from '../data/api.ts';
import { CopyButton, download, Button, Check } from '../ui/controls.tsx';
import type { PlanModel, ShownPlan } from './plan-model.ts';

interface ActionsProps {
  readonly plan: ShownPlan;
  /** ID of the button that copies the first ImageSetConfiguration. */
  readonly copyConfigId: string;
}

/** Exports the plan in every supported format. */
export function Actions({ plan, copyConfigId }: ActionsProps) {
  const { model } = plan;
  const [isCurrentIncluded, setCurrentIncluded] = useState(false);
  // oc-mirror requires a channel, and not every start version has one.
  const canInclude = channelsOf(model.path[0]!, model.directory).length > 0;
  const { files, notes, pullSpecs } = useMemo(
    () => filesOf(model, isCurrentIncluded && canInclude),
    [model, isCurrentIncluded, canInclude],
  );
  const isOne = files.length === 1;
  return (
    <section class="stack-small actions no-print" aria-label="Take the plan along">
      <div class="row">
        {files.map((each) => (
          <CopyButton
            key={each.file}
            {...(each.file === 1 && { id: copyConfigId })}
            kind="primary"
            text={() => each.text}
            what={isOne ? 'the ImageSetConfiguration' : imageSetName(each)}
          >
            Copy {isOne ? 'ImageSetConfiguration' : imageSetName(each)}
          </CopyButton>
        ))}
        <CopyButton text={() => pullSpecs} what="the pull specs">
          Copy pull specs
        </CopyButton>
        <CopyButton text={async () => commandsOf(await model.details())} what="the oc commands">
          Copy oc commands
        </CopyButton>
        <CopyButton text={() => location.href} what="the link">
          Copy link
        </CopyButton>
      </div>
      {notes.map((note) => (
        <p key={note} class="note info small">
          {note}.
        </p>
      ))}
      <Check checked={isCurrentIncluded && canInclude} disabled={!canInclude} onChange={setCurrentIncluded}>
        Include the current release, {model.from}
      </Check>
      <details>
        <summary>Show the ImageSetConfiguration{isOne ? '' : 's'}</summary>
        {files.map(({ file, text }) => (
          <pre key={file} tabIndex={0}>
            {text}
          </pre>
        ))}
      </details>
      <Downloads plan={plan} files={files} />
    </section>
  );
}

interface DownloadsProps extends Pick<ActionsProps, 'plan'> {
  readonly files: readonly ImageSet[];
}

function Downloads({ plan, files }: DownloadsProps) {
  const { model, markdown, jsonAddress } = plan;
  const [fault, setFault] = useState<string | null>(null);
  const name = `upgrade-${model.from}-to-${model.to}`;
  const made = (text: Promise<string>, ending: string, type: string): void => {
    setFault(null);
    text.then(
      (whole) => download(`${name}.${ending}`, whole, type),
      (error: Error) => setFault(error.message),
    );
  };
  return (
    <>
      <div class="row">
        <span class="muted">Download</span>
        {files.map((each) => (
          <Button key={each.file} onClick={() => download(imageSetName(each), each.text, 'application/yaml')}>
            {imageSetName(each)}
          </Button>
        ))}
        <Button onClick={() => made(served(jsonAddress), 'json', 'application/json')}>JSON</Button>
        <Button onClick={() => made(markdown(), 'md', 'text/markdown')}>Markdown</Button>
        <Button onClick={() => print()}>Print</Button>
      </div>
      {fault !== null && (
        <p class="fault" role="alert">
          The file could not be made: {fault}
        </p>
      )}
    </>
  );
}

async function served(address: string): Promise<string> {
  return (await send(address)).text();
}

type MirroredPath = Pick<PlanModel, 'path' | 'arch' | 'directory' | 'mirrorOperators'>;

/** ImageSetConfigurations, and the pull specs with one image per line. */
export function filesOf({ path, arch, directory, mirrorOperators }: MirroredPath, includeCurrent: boolean) {
  const needed = neededReleases(path, arch, includeCurrent);
  const mirror = mirrorOfReleases(needed);
  const { files, unlisted } = imageSets(
    needed.map(({ step }) => ({ version: step.version, arch, channels: channelsOf(step, directory) })),
    mirrorOperators ?? undefined,
  );
  const signatures = signatureNote(mirror);
  return {
    files,
    notes: [
      ...(unlisted.length > 0
        ? [
            `oc-mirror cannot find ${unlisted.map(({ version }) => version).join(', ')} in any channel. Copy the pull specs and mirror them by digest`,
          ]
        : []),
      ...(files.length > 1 ? ['One file per release: mirror the files in their order'] : []),
      ...(signatures === null ? [] : [signatures]),
    ],
    pullSpecs: mirror.map(({ payload }) => `${payload}\n`).join(''),
  };
}

/** Formats the steps as a commented script to run step by step. */
export function commandsOf({ steps }: PlanDetails): string {
  return steps
    .map(({ text, command, commands = command === undefined ? [] : [command] }) =>
      [`# ${text.replaceAll('\n', ' ')}`, ...commands, ''].join('\n'),
    )
    .join('\n');
}
