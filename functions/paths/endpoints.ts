import type { Risk } from '@cairn/shared/graph/graph';
import { findPath, type PathResult } from '@cairn/shared/path/find-path';
import type { Arch } from '@cairn/shared/version/arch';
import { sentName } from '../http/aliases.ts';
import { endpoints } from '../http/endpoint.ts';
import { Problem } from '../http/problem.ts';
import {
  ReleaseReader,
  type ReleaseSnapshot,
  type FreshnessSources,
  type GraphFreshness,
  graphFreshness,
} from '../releases/release-reader.ts';
import { notSyncedYet } from '../releases/sync-state.ts';
import type { Documents } from '../store/publication-cache.ts';
import {
  type Blame,
  type ClusterAnswer,
  imageSetFile,
  imageSetList,
  mirrorOf,
  textFile,
  unlistedWarnings,
} from './files.ts';
import { type ClusterQuestion, fleetRequest, refuseExcluded, singleRequest } from './question.ts';
import { pathView, wholeRisk } from './view.ts';

/** CPU limit per request; a single question uses a fraction. */
const CPU_BUDGET_MS = 2_000;
/** Lambda responses are limited to 6 MB; the body is a JSON string, so every quote counts twice. */
const MAX_ANSWER_CHARACTERS = 4_500_000;

interface PathDependencies extends FreshnessSources {
  readonly documents: Documents;
  /** CPU time of this process in milliseconds. */
  readonly cpuTime: () => number;
}

/** `GET` and `POST /v1/upgrade-paths` */
export function upgradePathEndpoints(dependencies: PathDependencies) {
  const reader = new ReleaseReader(dependencies.documents);
  return endpoints({
    findUpgradePath: async ({ query }) => {
      const { clusters, includeSource, format, file } = singleRequest(query);
      const snapshots = new Snapshots(reader, dependencies);
      const answers = await answerAll(clusters, snapshots, dependencies);
      const [only] = answers as [ClusterAnswer];
      const { answer, arch } = only;
      refuseUnknownVersion(answer);
      refuseExcluded(answer, sentName(query, 'to'));
      const blame: Blame = (part) => ({ parameter: sentName(query, part), value: query[part] });
      if (format === 'text') return { answer: textFile(answers, includeSource, blame) };
      if (format === 'imageset') {
        const place = { parameter: 'file' };
        return { answer: imageSetFile(answers, { includeSource }, { file, place, blame }) };
      }
      const view = pathView(answer, arch, await snapshots.freshness(answer, arch), wholeRisk);
      return {
        data: {
          ...view,
          warnings: [...view.warnings, ...unlistedWarnings(only, includeSource)],
          mirror: mirrorOf(answers, includeSource),
          imageSets: imageSetList(answers, { includeSource }),
          graphDataImageNeeded: true,
        },
      };
    },
    findUpgradePaths: async ({ body }) => {
      const { clusters, includeSource, format, file } = fleetRequest(body);
      const snapshots = new Snapshots(reader, dependencies);
      const answers = await answerAll(clusters, snapshots, dependencies);
      const blame: Blame = (_part, at) => ({
        pointer: `/clusters/${at}`,
        value: clusters[at]!.name ?? clusters[at]!.question.from,
      });
      if (format === 'text') return { answer: textFile(answers, includeSource, blame) };
      if (format === 'imageset') {
        const place = { pointer: '/file' };
        return { answer: imageSetFile(answers, { includeSource }, { file, place, blame }) };
      }
      return fleetReply(answers, includeSource, snapshots);
    },
  });
}

async function answerAll(
  clusters: readonly ClusterQuestion[],
  snapshots: Snapshots,
  { cpuTime }: PathDependencies,
): Promise<ClusterAnswer[]> {
  const started = cpuTime();
  const known = new Map<string, PathResult>();
  const answers: ClusterAnswer[] = [];
  for (const { name, arch, question } of clusters) {
    if (answers.length > 0 && cpuTime() - started > CPU_BUDGET_MS) throw tooComplex(answers.length, clusters);
    // Clusters of a fleet often share a question.
    const key = JSON.stringify([arch, question]);
    const snapshot = await snapshots.of(arch);
    const answer = known.get(key) ?? (await findPath(question, snapshot));
    known.set(key, answer);
    answers.push({ name, arch, answer, directory: snapshot.directory });
  }
  return answers;
}

function tooComplex(answered: number, clusters: readonly ClusterQuestion[]): Problem {
  const channels = Math.max(...clusters.map(({ question }) => question.channels.length));
  const alternatives = Math.max(...clusters.map(({ question }) => question.alternatives));
  const reduce = [
    `send at most ${answered} of the ${clusters.length} clusters at once`,
    ...(channels > 4 ? [`name fewer channels than ${channels}`] : []),
    ...(alternatives > 0 ? [`ask for fewer alternatives than ${alternatives}`] : []),
  ];
  return new Problem(
    'too-complex',
    `${answered} of ${clusters.length} clusters took ${CPU_BUDGET_MS / 1000} seconds of CPU time: ${reduce.join(', or ')}`,
  );
}

async function fleetReply(answers: readonly ClusterAnswer[], includeSource: boolean, snapshots: Snapshots) {
  const risks = new Map<string, Risk>();
  const byName = (risk: Risk): string => {
    if (!risks.has(risk.name)) risks.set(risk.name, risk);
    return risk.name;
  };
  const views = await Promise.all(
    answers.map(async (each) => {
      const { name, arch, answer } = each;
      const view = pathView(answer, arch, await snapshots.freshness(answer, arch), byName);
      const warnings = [...view.warnings, ...unlistedWarnings(each, includeSource)];
      return { ...(name !== null && { name }), ...view, warnings };
    }),
  );
  const data = {
    found: answers.filter(({ answer }) => answer.found).length,
    notFound: answers.filter(({ answer }) => !answer.found).length,
    clusters: views,
    risks: [...risks.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(wholeRisk),
    mirror: mirrorOf(answers, includeSource),
    imageSets: imageSetList(answers, { includeSource }),
    graphDataImageNeeded: true,
  };
  const { length } = JSON.stringify(data);
  if (length > MAX_ANSWER_CHARACTERS) {
    const share = Math.floor((answers.length * MAX_ANSWER_CHARACTERS) / length);
    throw new Problem(
      'too-complex',
      `the answer for ${answers.length} clusters has ${length} characters, at most ${MAX_ANSWER_CHARACTERS} can be sent: send about ${share} clusters at once, or ask for fewer alternatives`,
    );
  }
  return { data };
}

/** An unknown version is most likely a typing mistake, so it is an error and not a result. */
function refuseUnknownVersion(answer: PathResult): void {
  if (answer.found || answer.explanation.code !== 'source_not_in_channel') return;
  const { message, details } = answer.explanation;
  if (details.channels.length > 0) return;
  throw new Problem('unknown-version', message, {
    errors: [{ parameter: 'from', value: answer.from, detail: message, nearest: details.nearestVersions }],
  });
}

/** Release snapshots per architecture, fixed for one request. */
class Snapshots {
  readonly #reader: ReleaseReader;
  readonly #dependencies: PathDependencies;
  readonly #byArch = new Map<Arch, Promise<ReleaseSnapshot>>();

  constructor(reader: ReleaseReader, dependencies: PathDependencies) {
    this.#reader = reader;
    this.#dependencies = dependencies;
  }

  async of(arch: Arch): Promise<ReleaseSnapshot> {
    const pending = this.#byArch.get(arch) ?? this.#reader.snapshot(arch);
    this.#byArch.set(arch, pending);
    const snapshot = await pending;
    const wasPublished = snapshot.directory.channels.some(({ indexed }) => indexed.publishedAt !== null);
    if (!wasPublished && snapshot.directory.channels.length > 0) throw notSyncedYet();
    return snapshot;
  }

  async freshness({ channels }: PathResult, arch: Arch): Promise<GraphFreshness> {
    return graphFreshness(channels, await this.of(arch), this.#dependencies);
  }
}
