import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import type { InputSummary } from '@cairn/shared/cluster/object-reader';
import type { OperatorContent } from '@cairn/shared/path/mirror-list';
import { operatorsToMirror } from '@cairn/shared/plan/mirror-operators';
import { planReport } from '@cairn/shared/plan/report';
import { type Condition, docsOf } from '@cairn/shared/safety/condition';
import { asText } from '@cairn/shared/text/as-text';
import { asMarkdown } from '@cairn/shared/text/markdown';
import { storedCluster } from '../clusters/endpoints.ts';
import { readClusterSettings, requestedWindows } from '../clusters/settings.ts';
import { readDocumentInput } from '../documents/read-documents.ts';
import { sentName } from '../http/aliases.ts';
import { endpoints } from '../http/endpoint.ts';
import { MARKDOWN_TYPE, TEXT_TYPE, textAnswer } from '../http/reply.ts';
import { isFlagSet } from '../http/schema-fields.ts';
import { imageSetFile, mirrorOf } from '../paths/files.ts';
import { riskPolicy } from '../paths/question.ts';
import { pathView, wholeRisk } from '../paths/view.ts';
import { archParameter } from '../releases/followed-channels.ts';
import { type ReleaseReader, graphFreshness, type FreshnessSources } from '../releases/release-reader.ts';
import type { Output } from '../runtime/lazy.ts';
import type { Table } from '../store/table.ts';
import type { OpenUploads } from '../uploads/store.ts';
import { planCluster, type PlanRequest, type ClusterPlan } from './plan-upgrade.ts';
import { upgradePlanBody, type PLAN_FORMATS } from './schema.ts';

interface PlanSources extends FreshnessSources {
  readonly reader: ReleaseReader;
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
      return answer(facts, question, { pausedSince: new Map(), input, format: fields.format }, sources);
    },
  });
}

/** `GET /v1/clusters/{id}/upgrade-plan` */
export function planClusterUpgradeEndpoint(sources: PlanSources, table: Table) {
  return endpoints({
    planClusterUpgrade: async ({ path, query: asked }) => {
      const stored = await storedCluster(table, path);
      const settings = (await readClusterSettings(table, stored.id))?.settings ?? {};
      const question = planRequest('accept_risk', {
        ...asked,
        target: asked.to ?? settings.target,
        // Stored channels apply only to the stored target.
        channels: asked.channel?.split(',') ?? (asked.to === undefined ? settings.channels : undefined) ?? [],
        accept_risk:
          asked.accept_risk?.split(',') ?? (asked.risk === undefined ? settings.acceptRisks : undefined),
        accept: asked.accept?.split(',') ?? settings.accept,
        policy: asked.policy ?? settings.policy,
        strategy: asked.strategy ?? settings.strategy,
        strict: isFlagSet(asked.strict),
        windows: requestedWindows(asked, asked) ?? settings.windows ?? null,
      });
      const { facts, pausedSince } = stored.record;
      const since = new Map(pausedSince.map((pause) => [pause.pool, pause.since]));
      return answer(facts, question, { pausedSince: since, input: null, format: asked.format }, sources);
    },
  });
}

function planRequest(
  nameOfRisks: string,
  asked: Partial<Omit<Output<typeof upgradePlanBody>, 'channel' | 'windows'>> &
    Pick<PlanRequest, 'channels' | 'windows'>,
): PlanRequest {
  const { risk, acceptedRisks } = riskPolicy(asked, (detail) => ({
    parameter: nameOfRisks,
    value: asked.accept_risk?.join(','),
    detail,
  }));
  return {
    target: asked.target ?? 'latest',
    channels: asked.channels,
    arch: asked.arch === undefined ? null : archParameter(asked.arch),
    risk,
    acceptedRisks,
    options: {
      policy: asked.policy ?? 'openshift',
      strategy: asked.strategy ?? 'rolling',
      strict: asked.strict ?? false,
      apiRemovals: asked.api_removals ?? 'block',
      accept: asked.accept ?? [],
    },
    windows: asked.windows,
  };
}

async function answer(
  facts: ClusterFacts,
  question: PlanRequest,
  more: {
    readonly pausedSince: ReadonlyMap<string, string>;
    readonly input: InputSummary | null;
    readonly format: Format | undefined;
  },
  sources: PlanSources,
) {
  const { pausedSince, input, format = 'json' } = more;
  const now = sources.clock();
  const planned = await planCluster(facts, question, sources.reader, { now, pausedSince });
  const { plan, arch, answer: found } = planned;
  if (format === 'text') return { answer: textAnswer(TEXT_TYPE, asText(planReport(plan))) };
  if (format === 'markdown') return { answer: textAnswer(MARKDOWN_TYPE, asMarkdown(planReport(plan))) };
  const operators = operatorsOf(facts, planned);
  if (format === 'imageset') {
    const answers = [{ name: null, arch, answer: found }];
    return { answer: imageSetFile(answers, { includeSource: false, operators }) };
  }
  return { data: await planView(planned, operators, input, sources) };
}

function operatorsOf(facts: ClusterFacts, { answer: found, plan }: ClusterPlan): OperatorContent {
  const path = found.found ? found.upgrade.path.map(({ version }) => version) : [];
  return operatorsToMirror({ facts, path, hops: plan.hops });
}

async function planView(
  { plan, answer: found, arch, snapshot }: ClusterPlan,
  operators: OperatorContent,
  input: InputSummary | null,
  sources: FreshnessSources,
) {
  const freshness = await graphFreshness(found.channels, snapshot, sources);
  return {
    ...plan,
    pathExists: conditionView(plan.pathExists),
    hops: plan.hops.map((hop) => ({
      ...hop,
      conditions: hop.conditions.map(conditionView),
      upgradeable: conditionView(hop.upgradeable),
    })),
    path: pathView(found, arch, freshness, wholeRisk),
    mirror: mirrorOf([{ name: null, arch, answer: found }], false),
    mirrorOperators: operators,
    graphDataImageNeeded: true,
    ...(input && { input }),
  };
}

/** Adds the documentation link. */
function conditionView(condition: Condition) {
  return { ...condition, docs: docsOf(condition.type) };
}
