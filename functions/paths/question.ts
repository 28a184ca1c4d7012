import type { PathResult } from '@cairn/shared/path/find-path';
import type { RiskMode, RiskPolicy, UpgradeQuestion, PathQuery } from '@cairn/shared/path/question';
import { type Arch, isMultiVersion, withoutMulti } from '@cairn/shared/version/arch';
import { parseMinor } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { sentName } from '../http/aliases.ts';
import { Problem } from '../http/problem.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import { archParameter } from '../releases/followed-channels.ts';
import type { ErrorDetail } from '../runtime/errors.ts';
import type { UpgradePathQuery, UpgradePathsRequest } from './schema.ts';

export interface ClusterQuestion {
  /** Name given by the caller; null if none. */
  readonly name: string | null;
  readonly arch: Arch;
  readonly question: UpgradeQuestion;
}

/** `?from=4.14.20&to=4.16` */
export function singleRequest(query: UpgradePathQuery) {
  const { format = 'json', file } = query;
  if (file !== undefined && format !== 'imageset') throw fileWithoutImageSet(file, { parameter: 'file' });
  const conditions = conditionsOf(
    { ...query, accept_risk: query.accept_risk?.split(',') },
    query.prerelease === undefined ? undefined : isFlagSet(query.prerelease),
    Number(query.alternatives ?? 0),
    (detail) => ({ parameter: 'accept_risk', value: query.accept_risk, detail }),
  );
  const channel = query.channel?.split(',');
  const cluster = clusterQuestion({ ...query, channel }, conditions, (name) => ({
    parameter: sentName(query, name),
  }));
  return {
    clusters: [cluster],
    includeSource: isFlagSet(query.include_source),
    format,
    file: file === undefined ? undefined : Number(file),
  };
}

export function fleetRequest(body: UpgradePathsRequest) {
  const { clusters, include_source: includeSource = false, format = 'json', file } = body;
  if (file !== undefined && format !== 'imageset') {
    throw fileWithoutImageSet(String(file), { pointer: '/file' });
  }
  const conditions = conditionsOf(body, body.prerelease, body.alternatives ?? 0, (detail) => ({
    pointer: `/${sentName(body, 'accept_risk')}`,
    detail,
  }));
  return {
    clusters: clusters.map((cluster, at) => {
      const { to = body.to, channel = body.channel, arch = body.arch } = cluster;
      const pointerTo = (name: 'from' | 'to') => ({
        pointer:
          cluster[name] === undefined
            ? `/${sentName(body, name)}`
            : `/clusters/${at}/${sentName(cluster, name)}`,
      });
      return clusterQuestion({ ...cluster, to, channel, arch }, conditions, pointerTo);
    }),
    includeSource,
    format,
    file,
  };
}

export function fileWithoutImageSet(value: string, place: Omit<ErrorDetail, 'detail'>): Problem {
  return invalid({ ...place, value, detail: 'is for format=imageset only' });
}

type Conditions = Omit<UpgradeQuestion, 'from' | 'to' | 'channels'>;

function conditionsOf(
  asked: Pick<UpgradePathsRequest, 'risk' | 'accept_risk' | 'prefer'>,
  prerelease: boolean | undefined,
  alternatives: number,
  fault: (detail: string) => ErrorDetail,
): Conditions {
  return {
    ...riskPolicy(asked, fault, false),
    prefer: asked.prefer ?? 'safest',
    prerelease,
    alternatives: alternatives as PathQuery['alternatives'],
  };
}

/** Named risks accept these and no others; for a cluster, beside those that do not apply to it. */
export function riskPolicy(
  asked: { readonly risk?: RiskMode | undefined; readonly accept_risk?: readonly string[] | undefined },
  fault: (detail: string) => ErrorDetail,
  isOfCluster: boolean,
): Required<Pick<RiskPolicy, 'risk' | 'acceptedRisks'>> {
  const { accept_risk: acceptedRisks } = asked;
  const usual = isOfCluster ? 'applicable' : acceptedRisks === undefined ? 'none' : 'accept';
  const { risk = usual } = asked;
  if (acceptedRisks !== undefined && risk !== 'accept' && risk !== 'applicable') {
    throw invalid(fault(`means risk=${usual}, but risk=${risk} is given as well`));
  }
  return { risk, acceptedRisks };
}

function clusterQuestion(
  asked: UpgradePathsRequest['clusters'][number],
  conditions: Conditions,
  place: (name: 'from' | 'to') => Omit<ErrorDetail, 'detail'>,
): ClusterQuestion {
  const { from, to = 'latest', channel = [], arch = 'amd64' } = asked;
  const ends = { from, ...(to !== 'latest' && parseMinor(to) === null && { to }) };
  for (const [name, value] of Object.entries(ends) as ['from' | 'to', string][]) {
    if (isMultiVersion(value)) {
      const detail = `the version of a multi release is accepted without -multi: ${withoutMulti(value)}, with arch multi`;
      throw invalid({ ...place(name), value, detail });
    }
    // The schema checks only the shape; numbers that are too large or have leading zeros fail here.
    if (parseVersion(value) === null) {
      throw invalid({
        ...place(name),
        value,
        detail: 'a version such as 4.14.20 or 4.15.0-rc.1 is accepted',
      });
    }
  }
  const channels = [...new Set(typeof channel === 'string' ? [channel] : channel)];
  return {
    name: asked.name ?? null,
    arch: archParameter(arch),
    question: { from, to, channels, ...conditions },
  };
}

/** A target that the configuration excludes is refused; other reasons are part of the response. */
export function refuseExcluded(answer: PathResult, parameter: string): void {
  if (answer.found || answer.explanation.code !== 'excluded') return;
  const { message, suggestion, details } = answer.explanation;
  const detail = suggestion === null ? message : `${message}; ${suggestion}`;
  throw new Problem('excluded', detail, {
    errors: [{ parameter, value: details.version, detail, nearest: details.nearestVersions }],
  });
}

function invalid(error: ErrorDetail): Problem {
  const where = error.parameter ?? error.pointer;
  const value = error.value === undefined ? '' : `=${JSON.stringify(error.value)}`;
  return new Problem(
    error.parameter === undefined ? 'invalid-body' : 'invalid-parameter',
    `${where}${value}: ${error.detail}`,
    { errors: [error] },
  );
}
