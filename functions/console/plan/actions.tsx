import { imageSetOf, imageSetText, type ImageSet } from '@cairn/shared/path/image-set';
import { channelsOf, mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import type { PlanDetails } from '@cairn/shared/plan/plan';
import { useMemo, useState } from 'preact/hooks';
import { send } from '../data/api.ts';
import { CopyButton, download, Button, Check } from '../ui/controls.tsx';
import type { PlanModel, ShownPlan } from './plan-model.ts';

interface ActionsProps {
  readonly plan: ShownPlan;
  /** ID of the button that copies the ImageSetConfiguration. */
  readonly copyConfigId: string;
}

/** Exports the plan in every supported format. */
export function Actions({ plan, copyConfigId }: ActionsProps) {
  const { model } = plan;
  const [isCurrentIncluded, setCurrentIncluded] = useState(false);
  // oc-mirror requires a channel, and not every start version has one.
  const canInclude = channelsOf(model.path[0]!).length > 0;
  const { imageSet, configuration, pullSpecs } = useMemo(
    () => filesOf(model, isCurrentIncluded && canInclude),
    [model, isCurrentIncluded, canInclude],
  );
  return (
    <section class="stack-small actions no-print" aria-label="Take the plan along">
      <div class="row">
        <CopyButton
          id={copyConfigId}
          kind="primary"
          text={() => configuration}
          what="the ImageSetConfiguration"
        >
          Copy ImageSetConfiguration
        </CopyButton>
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
      {imageSet?.splitBecause && (
        <p class="note info small">
          These are {imageSet.files.length} files: {imageSet.splitBecause}.
        </p>
      )}
      <Check checked={isCurrentIncluded && canInclude} disabled={!canInclude} onChange={setCurrentIncluded}>
        Include the current release, {model.from}
      </Check>
      <details>
        <summary>Show the ImageSetConfiguration</summary>
        <pre tabIndex={0}>{configuration}</pre>
      </details>
      <Downloads plan={plan} imageSet={imageSet} />
    </section>
  );
}

interface DownloadsProps extends Pick<ActionsProps, 'plan'> {
  readonly imageSet: ImageSet | null;
}

function Downloads({ plan, imageSet }: DownloadsProps) {
  const { model, markdown, jsonAddress } = plan;
  const [fault, setFault] = useState<string | null>(null);
  const name = `upgrade-${model.from}-to-${model.to}`;
  const save = (): void => {
    for (const file of imageSet?.files ?? []) download(file.name, file.yaml, 'application/yaml');
  };
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
        <Button onClick={save}>YAML</Button>
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

type MirroredPath = Pick<PlanModel, 'path' | 'arch' | 'mirrorOperators'>;

/** The ImageSetConfiguration has all its files in one text, the pull specs one image per line. */
export function filesOf({ path, arch, mirrorOperators }: MirroredPath, includeCurrent: boolean) {
  const needed = neededReleases(path, arch, includeCurrent);
  const imageSet = imageSetOf(needed, mirrorOperators ?? undefined);
  return {
    imageSet,
    configuration: imageSet ? imageSetText(imageSet) : '# nothing to mirror\n',
    pullSpecs: mirrorOfReleases(needed)
      .map(({ payload }) => `${payload}\n`)
      .join(''),
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
