import { useMemo, useState } from 'preact/hooks';
import { channelsOf } from '@cairn/shared/path/mirror-list';
import { CopyButton } from '../ui/copy-button.tsx';
import { download } from '../ui/download.ts';
import { CONFIG_ID } from './copy-config.ts';
import { commandsOf, filesOf, planJson } from './files.ts';
import type { PlanModel } from './plan-model.ts';

export interface ActionsProps {
  readonly model: PlanModel;
  /** As a document for tickets. */
  readonly markdown: () => Promise<string>;
}

/** The plan to take along, in every form that somebody needs it in. */
export function Actions({ model, markdown }: ActionsProps) {
  const [isCurrentIncluded, setCurrentIncluded] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { from, to } = model;
  // oc-mirror has to be told a channel, and not every start says one.
  const canInclude = channelsOf(model.path[0]!).length > 0;
  const { imageSet, configuration, pullSpecs } = useMemo(
    () => filesOf(model, isCurrentIncluded && canInclude),
    [model, isCurrentIncluded, canInclude],
  );
  const name = `upgrade-${from}-to-${to}`;
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
    <section class="stack-small actions no-print" aria-label="Take the plan along">
      <div class="row">
        <CopyButton id={CONFIG_ID} kind="primary" text={() => configuration} what="the ImageSetConfiguration">
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
        Include the current release, {from}
      </label>
      <details>
        <summary>Show the ImageSetConfiguration</summary>
        <pre tabIndex={0}>{configuration}</pre>
      </details>
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
    </section>
  );
}
