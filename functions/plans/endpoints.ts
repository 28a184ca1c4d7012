import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { InputSummary } from '@cairn/shared/cluster/object-reader';
import type { ClusterRecord } from '@cairn/shared/cluster/record';
import type { OperatorContent } from '@cairn/shared/path/mirror-list';
import { operatorsToMirror } from '@cairn/shared/plan/mirror-operators';
import { planReport } from '@cairn/shared/plan/report';
import { EUS_TERMS, type EusTerms } from '@cairn/shared/releases/values';
import { acceptedRisks, namedRisks } from '@cairn/shared/risk/acceptances';
import { type Condition, docsOf } from '@cairn/shared/safety/condition';
import { titleOf } from '@cairn/shared/safety/tables/titles';
import { asText } from '@cairn/shared/text/as-text';
import { asMarkdown } from '@cairn/shared/text/markdown';
import type { FleetDurations } from '@cairn/shared/update-status/forecast/fleet';
import type { UpdateRuns } from '@cairn/shared/update-status/runs/run';
import { storedCluster } from '../clusters/endpoints.ts';
import { readClusterSettings } from '../clusters/settings-store.ts';
import { requestedWindows } from '../clusters/settings.ts';
import { readDocumentInput } from '../documents/read-documents.ts';
import { clusterIn } from '../documents/select-cluster.ts';
import { sentName } from '../http/aliases.ts';
import { endpoints } from '../http/endpoint.ts';
import { MARKDOWN_TYPE, TEXT_TYPE, textAnswer } from '../http/reply.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import {
  type ClusterAnswer,
  type Blame,
  imageSetFile,
  imageSetList,
  mirrorOf,
  unlistedWarnings,
} from '../paths/files.ts';
import { fileWithoutImageSet, refuseExcluded, riskPolicy } from '../paths/question.ts';
import { pathView, wholeRisk } from '../paths/view.ts';
import { archParameter } from '../releases/followed-channels.ts';
import { type ReleaseReader, graphFreshness, type FreshnessSources } from '../releases/release-reader.ts';
import { readCounting } from '../risk-acceptances/store.ts';
import { weakEntityTag } from '../runtime/hash.ts';
import type { Output } from '../runtime/lazy.ts';
import type { Table } from '../store/table.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { planCluster, type PlanRequest, type ClusterPlan } from './plan-upgrade.ts';
import { upgradePlanBody, type PLAN_FORMATS } from './schema.ts';

interface PlanSources extends FreshnessSources {
  readonly reader: ReleaseReader;
  /** What updates of the fleet took; absent without a fleet. */
  readonly readFleet?: () => Promise<FleetDurations>;
}

type Format = (typeof PLAN_FORMATS)[number];

/** `POST /v1/upgrade-plans` */
export function planUpgradeEndpoint(sources: PlanSources, openUploads: OpenUploads) {
  return endpoints({
    planUpgrade: async (call) => {
      const { fields, facts, input } = await readDocumentInput(
        call,
        upgradePlanBody(),
        openUploads,
        ({ usernames = false, collected_at: collectedAt }) => ({
          usernames,
          ...(collectedAt !== undefined && { collectedAt }),
        }),
      );
      const { channel = [] } = fields;
      const question = planRequest(sentName(fields, 'accept_risk'), {
        ...fields,
        channels: typeof channel === 'string' ? [channel] : channel,
        windows: requestedWindows(fields, call.query),
      });
      const more = {
        pausedSince: new Map(),
        input,
        format: fields.format,
        file: fields.file,
        target: sentName(fields, 'target'),
      };
      return answer(clusterIn(facts, fields.hosted), question, more, sources);
    },
  });
}

/** `GET /v1/clusters/{id}/upgrade-plan` */
export function planClusterUpgradeEndpoint(sources: PlanSources, table: Table) {
  return endpoints({
    planClusterUpgrade: async ({ path, query: asked }) => {
      const stored = await storedCluster(table, path);
      // A request that says which risks may be on the way goes before what is stored.
      const isAsStored =
        asked.accept_risk === undefined && (asked.risk === undefined || asked.risk === 'applicable');
      const [settingsItem, acceptances] = await Promise.all([
        readClusterSettings(table, stored.id),
        isAsStored ? readCounting(table) : [],
      ]);
      const settings = settingsItem?.settings ?? {};
      const accepted = isAsStored
        ? acceptedRisks(stored.id, { now: sources.clock(), acceptances, named: settings.acceptRisks })
        : namedRisks(asked.accept_risk?.split(',') ?? []);
      const question = planRequest('accept_risk', {
        ...asked,
        target: asked.to ?? settings.target,
        // Stored channels apply only to the stored target.
        channels: asked.channel?.split(',') ?? (asked.to === undefined ? settings.channels : undefined) ?? [],
        accept_risk: accepted.size === 0 ? undefined : [...accepted.keys()],
        accept: asked.accept?.split(',') ?? settings.accept,
        policy: asked.policy ?? settings.policy,
        strategy: asked.strategy ?? settings.strategy,
        strict: isFlagSet(asked.strict),
        windows: requestedWindows(asked, asked) ?? settings.windows ?? null,
      });
      const { facts, collected, pausedSince, runs } = stored.record;
      const since = new Map(pausedSince.map((pause) => [pause.pool, pause.since]));
      const more = {
        pausedSince: since,
        runs,
        collected,
        input: null,
        format: asked.format,
        file: asked.file === undefined ? undefined : Number(asked.file),
        target: sentName(asked, 'to'),
      };
      const reply = await answer(clusterIn(facts, asked.hosted), { ...question, accepted }, more, sources);
      if (!('data' in reply)) return reply;
      const { evaluatedAt: _at, ...plan } = reply.data;
      return { ...reply, headers: { etag: weakEntityTag(plan) } };
    },
  });
}

function planRequest(
  nameOfRisks: string,
  asked: Partial<Omit<Output<typeof upgradePlanBody>, 'channel' | 'windows' | 'eus_terms' | 'file'>> &
    Pick<PlanRequest, 'channels' | 'windows'> & { readonly eus_terms?: string | number | undefined },
): PlanRequest {
  const { risk, acceptedRisks } = riskPolicy(
    asked,
    (detail) => ({ parameter: nameOfRisks, value: asked.accept_risk?.join(','), detail }),
    true,
  );
  return {
    target: asked.target ?? null,
    channels: asked.channels,
    arch: asked.arch === undefined ? null : archParameter(asked.arch),
    risk,
    acceptedRisks,
    options: {
      policy: asked.policy ?? 'openshift',
      strict: asked.strict ?? false,
      apiRemovals: asked.api_removals ?? 'block',
      accept: asked.accept ?? [],
    },
    strategy: asked.strategy ?? null,
    eusTerms: eusTermsOf(asked.eus_terms),
    updateService: asked.update_service ?? 'auto',
    windows: asked.windows,
  };
}

/** A query has text, a body a number. */
function eusTermsOf(sent: string | number | undefined): EusTerms | null {
  return EUS_TERMS.find((terms) => terms === Number(sent ?? Number.NaN)) ?? null;
}

async function answer(
  facts: ClusterFacts,
  question: PlanRequest,
  more: {
    readonly pausedSince: ReadonlyMap<string, string>;
    readonly runs?: UpdateRuns;
    readonly collected?: ClusterRecord['collected'];
    readonly input: InputSummary | null;
    readonly format: Format | undefined;
    /** Which of the ImageSetConfigurations. */
    readonly file: number | undefined;
    /** Name of the field with the target. */
    readonly target: string;
  },
  sources: PlanSources,
) {
  const { pausedSince, runs, collected, input, format = 'json', file, target } = more;
  const place = { parameter: 'file' };
  if (file !== undefined && format !== 'imageset') throw fileWithoutImageSet(String(file), place);
  const now = sources.clock();
  const fleet = await sources.readFleet?.();
  const planned = await planCluster(facts, question, sources.reader, {
    now,
    pausedSince,
    ...(runs && { runs }),
    ...(fleet && { fleet }),
    ...(collected && { collected }),
  });
  const { plan, answer: found } = planned;
  refuseExcluded(found, target);
  if (format === 'text') return { answer: textAnswer(TEXT_TYPE, asText(planReport(plan))) };
  if (format === 'markdown') return { answer: textAnswer(MARKDOWN_TYPE, asMarkdown(planReport(plan))) };
  const operators = operatorsOf(facts, planned);
  if (format === 'imageset') {
    const answers = [clusterAnswer(planned)];
    const blame: Blame = (part) => ({
      // The documents have the version of the cluster.
      ...(part !== 'from' && { parameter: part === 'to' ? target : part }),
    });
    return { answer: imageSetFile(answers, { includeSource: false, operators }, { file, place, blame }) };
  }
  return { data: await planView(planned, operators, input, sources) };
}

function clusterAnswer({ answer: found, arch, snapshot: { directory } }: ClusterPlan): ClusterAnswer {
  return { name: null, arch, answer: found, directory };
}

function operatorsOf(facts: ClusterFacts, { answer: found, plan }: ClusterPlan): OperatorContent {
  const path = found.found ? found.upgrade.path.map(({ version }) => version) : [];
  return operatorsToMirror({ facts, path, hops: plan.hops });
}

async function planView(
  planned: ClusterPlan,
  operators: OperatorContent,
  input: InputSummary | null,
  sources: FreshnessSources,
) {
  const { plan: whole, answer: found, arch, snapshot } = planned;
  const { conditions, ...plan } = whole;
  const freshness = await graphFreshness(found.channels, snapshot, sources);
  const view = pathView(found, arch, freshness, wholeRisk);
  const answers = [clusterAnswer(planned)];
  return {
    ...plan,
    pathExists: conditionView(plan.pathExists),
    ...(conditions && { conditions: conditions.map(conditionView) }),
    hops: plan.hops.map((hop) => ({
      ...hop,
      conditions: hop.conditions.map(conditionView),
      upgradeable: conditionView(hop.upgradeable),
    })),
    path: { ...view, warnings: [...view.warnings, ...unlistedWarnings(answers[0]!, false)] },
    mirror: mirrorOf(answers, false),
    imageSets: imageSetList(answers, { includeSource: false, operators }),
    mirrorOperators: operators,
    graphDataImageNeeded: true,
    input: { ...input, ...plan.input },
  };
}

/** Adds the title and the documentation link. */
function conditionView(condition: Condition) {
  return { ...condition, title: titleOf(condition), docs: docsOf(condition.type) };
}
