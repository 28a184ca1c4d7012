import type { PathResult } from '@cairn/shared/path/find-path';
import { imageSetOf, imageSetText } from '@cairn/shared/path/image-set';
import {
  type MirrorEntry,
  mirrorOfReleases,
  type NeededRelease,
  neededReleases,
  type OperatorContent,
} from '@cairn/shared/path/mirror-list';
import type { Arch } from '@cairn/shared/version/arch';
import { Problem } from '../http/problem.ts';
import { TEXT_TYPE, YAML_TYPE, type HttpResult, textAnswer } from '../http/reply.ts';

export interface ClusterAnswer {
  readonly name: string | null;
  readonly arch: Arch;
  readonly answer: PathResult;
}

/** Releases of all found paths. */
function releasesOf(answers: readonly ClusterAnswer[], includeSource: boolean): NeededRelease[] {
  return answers.flatMap(({ answer, arch }) =>
    answer.found ? neededReleases(answer.upgrade.path, arch, includeSource) : [],
  );
}

export function mirrorOf(answers: readonly ClusterAnswer[], includeSource: boolean): MirrorEntry[] {
  return mirrorOfReleases(releasesOf(answers, includeSource));
}

/** One image per line. */
export function textFile(answers: readonly ClusterAnswer[], includeSource: boolean): HttpResult {
  refuseMissingPaths(answers, 'text');
  const lines = mirrorOf(answers, includeSource).map(({ payload }) => `${payload}\n`);
  return textAnswer(TEXT_TYPE, lines.join(''));
}

interface ImageSetOptions {
  readonly includeSource: boolean;
  /** Selects one of several files, on routes that support it. */
  readonly file?: number | null | undefined;
  /** @default operators of no cluster */
  readonly operators?: OperatorContent;
}

export function imageSetFile(answers: readonly ClusterAnswer[], options: ImageSetOptions): HttpResult {
  const { includeSource, file, operators } = options;
  refuseMissingPaths(answers, 'imageset');
  const set = imageSetOf(releasesOf(answers, includeSource), operators);
  if (set === null) {
    return textAnswer(YAML_TYPE, '# nothing to mirror: every cluster already is where it shall be\n');
  }
  if (file === undefined) return textAnswer(YAML_TYPE, imageSetText(set));
  if (file === null) {
    const one = `, or ask for one with file=1 to file=${set.files.length}`;
    return textAnswer(YAML_TYPE, imageSetText(set, one));
  }
  const chosen = set.files[file - 1];
  if (chosen) return textAnswer(YAML_TYPE, chosen.yaml);
  const detail = set.files.length === 1 ? 'there is one file' : `there are ${set.files.length} files`;
  throw new Problem('invalid-parameter', `file=${file}: ${detail}`, {
    errors: [{ parameter: 'file', value: String(file), detail }],
  });
}

/** An incomplete mirror list would surface only during the upgrade. */
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
