import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import type { Explanation } from '@cairn/shared/path/explain';
import type { PathResult } from '@cairn/shared/path/find-path';
import { type ImageSet, type ImageSetRelease, imageSets, type ImageSets } from '@cairn/shared/path/image-set';
import {
  channelsOf,
  type MirrorEntry,
  mirrorOfReleases,
  type NeededRelease,
  neededReleases,
  type OperatorContent,
  signatureNote,
} from '@cairn/shared/path/mirror-list';
import { namesInWords } from '@cairn/shared/text/words';
import type { Arch } from '@cairn/shared/version/arch';
import { Problem } from '../http/problem.ts';
import { TEXT_TYPE, YAML_TYPE, type HttpResult, textAnswer } from '../http/reply.ts';
import type { ErrorDetail } from '../runtime/errors.ts';

export interface ClusterAnswer {
  readonly name: string | null;
  readonly arch: Arch;
  readonly answer: PathResult;
  /** Of the architecture. */
  readonly directory: ChannelDirectory;
}

type Place = Pick<ErrorDetail, 'parameter' | 'pointer'>;
type Part = 'from' | 'to' | 'channel' | 'arch' | 'risk' | 'accept_risk';
/** Where a request has the part of a question for which there is no path. */
export type Blame = (part: Part, cluster: number) => Place & Pick<ErrorDetail, 'value'>;

const PARTS: Readonly<Record<Explanation['code'], Part>> = {
  excluded: 'to',
  invalid_order: 'to',
  channel_unknown: 'channel',
  channel_empty: 'channel',
  arch_unavailable: 'arch',
  source_not_in_channel: 'channel',
  target_not_in_channel: 'to',
  no_recommended_path: 'risk',
  risks_not_accepted: 'accept_risk',
  source_has_no_updates: 'from',
  disconnected: 'to',
};

function partOf({ code, details }: Explanation): Part {
  const isUnknown = code === 'source_not_in_channel' && details.channels.length === 0;
  return isUnknown ? 'from' : PARTS[code];
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

/** Header with advice on a list of images. */
const NOTE_HEADER = 'cairn-note';

/** One image per line. */
export function textFile(
  answers: readonly ClusterAnswer[],
  includeSource: boolean,
  blame: Blame,
): HttpResult {
  refuseMissingPaths(answers, 'text', blame);
  const mirror = mirrorOf(answers, includeSource);
  const answer = textAnswer(TEXT_TYPE, mirror.map(({ payload }) => `${payload}\n`).join(''));
  const note = signatureNote(mirror);
  return note === null ? answer : { ...answer, headers: { ...answer.headers, [NOTE_HEADER]: note } };
}

interface ImageSetOptions {
  readonly includeSource: boolean;
  /** @default operators of no cluster */
  readonly operators?: OperatorContent;
}

/** Header with the number of files of which a response has one. */
const FILES_HEADER = 'cairn-files';

/** One of the files. */
export function imageSetFile(
  answers: readonly ClusterAnswer[],
  options: ImageSetOptions,
  {
    file = 1,
    place,
    blame,
  }: { readonly file?: number | undefined; readonly place: Place; readonly blame: Blame },
): HttpResult {
  refuseMissingPaths(answers, 'imageset', blame);
  const { files, unlisted } = imageSetsOf(answers, options);
  if (unlisted.length > 0) throw notInChannels(unlisted);
  const chosen = files[file - 1];
  if (chosen === undefined && file > 1) throw noSuchFile(file, files.length, place);
  const text = chosen?.text ?? '# Nothing to mirror: every cluster already runs its target\n';
  const answer = textAnswer(YAML_TYPE, text);
  return { ...answer, headers: { ...answer.headers, [FILES_HEADER]: String(files.length) } };
}

function noSuchFile(file: number, count: number, place: Place): Problem {
  const detail =
    count === 0
      ? 'there are 0 files, because there is nothing to mirror; omit file'
      : count === 1
        ? 'there is 1 file; use 1'
        : `there are ${count} files; use 1 to ${count}`;
  return new Problem(
    place.pointer === undefined ? 'invalid-parameter' : 'invalid-body',
    `file=${file}: ${detail}`,
    {
      errors: [{ ...place, value: String(file), detail }],
    },
  );
}

/** Releases without a channel are in {@link unlistedWarnings} instead. */
export function imageSetList(
  answers: readonly ClusterAnswer[],
  options: ImageSetOptions,
): readonly ImageSet[] {
  return imageSetsOf(answers, options).files;
}

function imageSetsOf(
  answers: readonly ClusterAnswer[],
  { includeSource, operators }: ImageSetOptions,
): ImageSets {
  const releases = answers.flatMap((each) =>
    releasesOf([each], includeSource).map(({ step, arch }): ImageSetRelease => ({
      version: step.version,
      arch,
      channels: channelsOf(step, each.directory),
    })),
  );
  return imageSets(releases, operators);
}

/** Warnings of a path with releases that no ImageSetConfiguration can name. */
export function unlistedWarnings(answer: ClusterAnswer, includeSource: boolean) {
  const { unlisted } = imageSetsOf([answer], { includeSource });
  return unlisted.length === 0 ? [] : [{ code: 'not_in_channels', message: unlistedInWords(unlisted) }];
}

function notInChannels(unlisted: readonly ImageSetRelease[]): Problem {
  return new Problem('no-channel', unlistedInWords(unlisted), {
    errors: unlisted.map(({ version, arch }) => ({
      parameter: 'format',
      value: 'imageset',
      detail: `no channel has ${version} on ${arch}`,
    })),
  });
}

function unlistedInWords(unlisted: readonly ImageSetRelease[]): string {
  const names = namesInWords([...new Set(unlisted.map(({ version, arch }) => `${version} on ${arch}`))]);
  return `no channel lists ${names}, so oc-mirror cannot find it. Mirror its image by digest: format=text lists it`;
}

/** An incomplete mirror list would surface only during the upgrade. */
function refuseMissingPaths(answers: readonly ClusterAnswer[], format: string, blame: Blame): void {
  const errors = answers.flatMap(({ answer }, at) =>
    answer.found ? [] : [{ ...blame(partOf(answer.explanation), at), detail: answer.explanation.message }],
  );
  if (errors.length === 0) return;
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new Problem(
    'no-path',
    `${first!.detail}${others}; format=json explains it, and format=${format} requires a path`,
    { errors },
  );
}
