import { type ImageSet, imageSet } from '@cairn/shared/path/image-set';
import { mirrorList, type MirrorEntry } from '@cairn/shared/path/mirror-list';
import type { UpgradeAnswer } from '@cairn/shared/path/find-upgrade';
import type { PathStep } from '@cairn/shared/path/solve';
import type { Arch } from '@cairn/shared/version/arch';
import { type HttpResult, textAnswer } from '../runtime/http.ts';
import { Problem } from '../runtime/problem.ts';
import { TEXT_TYPE } from '../runtime/media-types.ts';
import { YAML_TYPE } from './upgrade-path-routes.ts';

const CHANNELS = 'io.openshift.upgrades.graph.release.channels';

export interface ClusterAnswer {
  readonly name: string | null;
  readonly arch: Arch;
  readonly answer: UpgradeAnswer;
}

interface Needed {
  readonly step: PathStep;
  readonly arch: Arch;
}

/** Releases of the paths that were found, without where each cluster is unless that is wanted. */
function neededReleases(answers: readonly ClusterAnswer[], includeSource: boolean): Needed[] {
  return answers.flatMap(({ answer, arch }) => {
    if (!answer.found) return [];
    const { path } = answer.upgrade;
    return (includeSource ? path : path.slice(1)).map((step) => ({ step, arch }));
  });
}

export function mirrorOf(answers: readonly ClusterAnswer[], includeSource: boolean): MirrorEntry[] {
  return mirrorList(
    neededReleases(answers, includeSource).map(({ step, arch }) => ({ node: step.node, arch })),
  );
}

/** One image per line. */
export function textFile(answers: readonly ClusterAnswer[], includeSource: boolean): HttpResult {
  refuseMissingPaths(answers, 'text');
  const lines = mirrorOf(answers, includeSource).map(({ payload }) => `${payload}\n`);
  return textAnswer(TEXT_TYPE, lines.join(''));
}

/** The configuration for oc-mirror; `file` picks one when there are several. */
export function imageSetFile(
  answers: readonly ClusterAnswer[],
  includeSource: boolean,
  file: number | null,
): HttpResult {
  refuseMissingPaths(answers, 'imageset');
  const needed = neededReleases(answers, includeSource);
  if (needed.length === 0) {
    return textAnswer(YAML_TYPE, '# nothing to mirror: every cluster already is where it shall be\n');
  }
  const set = imageSet(
    needed.map(({ step, arch }) => ({ version: step.version, arch, channels: channelsOf(step) })),
  );
  if (file === null) return textAnswer(YAML_TYPE, allFiles(set));
  const chosen = set.files[file - 1];
  if (chosen) return textAnswer(YAML_TYPE, chosen.yaml);
  const detail = set.files.length === 1 ? 'there is one file' : `there are ${set.files.length} files`;
  throw new Problem('invalid-parameter', `file=${file}: ${detail}`, {
    errors: [{ parameter: 'file', value: String(file), detail }],
  });
}

/** All channels that upstream says it is in, followed here or not: oc-mirror asks upstream. */
function channelsOf({ node, hop }: PathStep): string[] {
  const listed = node.metadata[CHANNELS]?.split(',') ?? [];
  return [...new Set([...listed, ...(hop?.channels ?? [])])];
}

function allFiles({ files, splitBecause }: ImageSet): string {
  const [only] = files;
  if (splitBecause === null) return only!.yaml;
  const note = `# ${files.length} files: ${splitBecause}.\n# Save each part under its name, or ask for one with file=1 to file=${files.length}.\n`;
  return note + files.map(({ name, yaml }) => `---\n# ${name}\n${yaml}`).join('');
}

/** A list that lacks what a cluster needs would be found out only when the upgrade is under way. */
function refuseMissingPaths(answers: readonly ClusterAnswer[], format: string): void {
  const errors = answers.flatMap(({ name, answer }, at) => {
    if (answer.found) return [];
    const place = answers.length === 1 ? { parameter: 'from' } : { pointer: `/clusters/${at}` };
    return [{ ...place, value: name ?? answer.from, detail: answer.explanation.message }];
  });
  if (errors.length === 0) return;
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new Problem(
    'no-path',
    `${first!.detail}${others}; format=json has all that is known about it, format=${format} needs a path`,
    { errors },
  );
}
