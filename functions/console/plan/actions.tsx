import { imageSetOf, imageSetText, type ImageSet } from '@cairn/shared/path/image-set';
import { channelsOf, mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import { useMemo, useState } from 'preact/hooks';
import { CopyButton, download } from '../ui/copy.tsx';
import type { PlanModel, Workings } from './plan-model.ts';

interface ActionsProps {
  readonly model: PlanModel;
  /** As a document for tickets. */
  readonly markdown: () => Promise<string>;
  /** Of the button that copies the ImageSetConfiguration. */
  readonly copyConfigId: string;
}

/** The plan to take along, in every form that somebody needs it in. */
export function Actions({ model, markdown, copyConfigId }: ActionsProps) {
  const [isCurrentIncluded, setCurrentIncluded] = useState(false);
  // oc-mirror has to be told a channel, and not every start says one.
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
        <CopyButton text={async () => commandsOf(await model.workings())} what="the oc commands">
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
      <label class="check">
        <input
          type="checkbox"
          checked={isCurrentIncluded && canInclude}
          disabled={!canInclude}
          onChange={(event) => setCurrentIncluded(event.currentTarget.checked)}
        />
        Include the current release, {model.from}
      </label>
      <details>
        <summary>Show the ImageSetConfiguration</summary>
        <pre tabIndex={0}>{configuration}</pre>
      </details>
      <Downloads model={model} markdown={markdown} imageSet={imageSet} />
    </section>
  );
}

interface DownloadsProps extends Pick<ActionsProps, 'model' | 'markdown'> {
  readonly imageSet: ImageSet | null;
}

function Downloads({ model, markdown, imageSet }: DownloadsProps) {
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
        <button type="button" class="button" onClick={save}>
          YAML
        </button>
        <button
          type="button"
          class="button"
          onClick={() => made(planJson(model, location.href), 'json', 'application/json')}
        >
          JSON
        </button>
        <button type="button" class="button" onClick={() => made(markdown(), 'md', 'text/markdown')}>
          Markdown
        </button>
        <button type="button" class="button" onClick={() => print()}>
          Print
        </button>
      </div>
      {fault !== null && (
        <p class="fault" role="alert">
          The file could not be made: {fault}
        </p>
      )}
    </>
  );
}

/** What a plan is handed over as; made when it is asked for. */
interface PlanFiles {
  readonly imageSet: ImageSet | null;
  /** All files of it in one text. */
  readonly configuration: string;
  /** One image per line. */
  readonly pullSpecs: string;
}

type Way = Pick<PlanModel, 'path' | 'arch' | 'mirrorOperators'>;

export function filesOf({ path, arch, mirrorOperators }: Way, includeCurrent: boolean): PlanFiles {
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

/** The steps as a script to go through by hand, each with what it is for. */
export function commandsOf({ steps }: Pick<Workings, 'steps'>): string {
  return steps
    .map(
      ({ text, command }) =>
        `# ${text.replaceAll('\n', ' ')}\n${command === undefined ? '' : `${command}\n`}`,
    )
    .join('\n');
}

/** The plan for programs, without what only the page needs. */
export async function planJson({ path, workings, ...plan }: PlanModel, link: string): Promise<string> {
  const mirror = mirrorOfReleases(neededReleases(path, plan.arch, false));
  return `${JSON.stringify({ ...plan, ...(await workings()), path: path.map(({ version }) => version), mirror, link }, null, 2)}\n`;
}
