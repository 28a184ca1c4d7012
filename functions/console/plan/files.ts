import { type ImageSet, imageSetOf, imageSetText } from '@cairn/shared/path/image-set';
import { mirrorOfReleases, neededReleases } from '@cairn/shared/path/mirror-list';
import type { PlanModel, Workings } from './plan-model.ts';

/** What a plan is handed over as; made when it is asked for. */
export interface PlanFiles {
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
