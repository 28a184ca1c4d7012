import type { ClusterFacts } from '@cairn/shared/cluster/facts';
import { planUpgrade, type UpgradePlan } from '@cairn/shared/plan/plan';
import type { PlanStep } from '@cairn/shared/plan/run-sheet/step';
import {
  type ClusterShape,
  consistentCluster,
  questionOf,
  routeOf,
} from '../../cluster/consistent-clusters.ts';
import { isHostedCluster, isMaster, kubeletMinor, ordinalOfVersion } from '../../cluster/release-reports.ts';
import type { Random } from '../../random.ts';
import { commandsOf, isUpdate } from '../plan-outlines.ts';
import { runCommand } from './commands.ts';
import { putBack, repair } from './repairs.ts';
import { misplaced } from './sheet-order.ts';
import { SimulatedCluster, Stuck } from './simulated-cluster.ts';

/** Changes a run sheet before it is rehearsed, to plant a bug. */
export type Edit = (steps: readonly PlanStep[], plan: UpgradePlan) => readonly PlanStep[];

/**
 * Carries out the run sheet of a cluster step by step. Returns the first problem, or null if the target is reached:
 * the cluster refuses nothing, no wait hangs, and before each update the checks of a new plan pass.
 */
export function rehearse(shape: ClusterShape, edit: Edit = (steps) => steps): string | null {
  const route = routeOf(shape);
  const facts = consistentCluster(shape);
  const cluster = new SimulatedCluster(facts, route, shape.risky);
  const plan = planUpgrade(questionOf(shape, cluster.facts));
  const steps = edit(plan.plan.steps, plan);
  const [wrong] = misplaced(steps, plan, cluster.facts);
  if (wrong !== undefined) return wrong;
  const problem = carryOut(steps, plan, { shape, facts, cluster });
  if (problem !== null) return problem;
  return unfinished(cluster, route.at(-1)!) ?? unresumed(facts, cluster) ?? unrestored(facts, cluster);
}

const MOST_PLANS = 100;

/**
 * As `rehearse`, but the person stops somewhere, collects the documents again and follows a new plan, until the
 * target is reached. What the former sheets did must not stand in the way of the next one.
 */
export function rehearseInParts(shape: ClusterShape, random: Random): string | null {
  const route = routeOf(shape);
  const facts = consistentCluster(shape);
  const cluster = new SimulatedCluster(facts, route, shape.risky);
  let plans = MOST_PLANS;
  let isDone = false;
  for (;;) {
    const rest = route.slice(route.indexOf(cluster.version));
    const plan = planUpgrade(questionOf(shape, cluster.facts, rest));
    const { steps } = plan.plan;
    const [wrong] = misplaced(steps, plan, cluster.facts);
    if (wrong !== undefined) return `new plan from ${cluster.version}: ${wrong}`;
    if (steps.length === 0 || isDone) return unfinished(cluster, route.at(-1)!) ?? unresumed(facts, cluster);
    // Once the last update of a hosted cluster has begun, only its management cluster knows what is left.
    const last = steps.findIndex((step) => isUpdate(step) && step.hop === plan.hops.length - 1);
    const end = isHostedCluster(facts) ? last : steps.length;
    const count = random.chance(0.2) ? steps.length : random.below(end + 1);
    const problem = carryOut(steps.slice(0, count), plan, { shape, facts, cluster });
    if (problem !== null) return `plan from ${cluster.version}: ${problem}`;
    isDone = isHostedCluster(facts) && count === steps.length;
    if (--plans === 0) return `no plan is the last: ${steps.map(({ id }) => id).join(', ')}`;
  }
}

interface Walk {
  readonly shape: ClusterShape;
  /** Before the first step. */
  readonly facts: ClusterFacts;
  readonly cluster: SimulatedCluster;
}

/** First step that fails, or null. */
function carryOut(
  steps: readonly PlanStep[],
  plan: UpgradePlan,
  { shape, facts, cluster }: Walk,
): string | null {
  for (const step of steps) {
    try {
      if (isPutBack(step)) putBack(cluster, step, facts);
      else runStep(cluster, step, plan, shape);
    } catch (error) {
      if (error instanceof Stuck) return `${step.id} "${step.text}": ${error.message}`;
      throw error;
    }
  }
  return null;
}

function isPutBack({ kind, hop, resolves = [] }: PlanStep): boolean {
  return kind === 'check' && hop === null && resolves.some(({ type }) => type === 'DrainsPossible');
}

function runStep(cluster: SimulatedCluster, step: PlanStep, plan: UpgradePlan, shape: ClusterShape): void {
  if (isUpdate(step)) {
    passChecks(cluster, shape);
    // The second command is for clusters without an update service.
    return runCommand(cluster, commandsOf(step)[0]!);
  }
  for (const command of commandsOf(step)) runCommand(cluster, command);
  // Without a ready control plane node in the documents, the text has the command for any of them.
  if (step.kind === 'backup' && step.text.includes('oc debug node/NODE'))
    cluster.backUp(readyMaster(cluster));
  if (step.kind === 'accept') cluster.acceptRisks();
  if (step.kind === 'mirror' && step.hop !== null) cluster.mirror(plan.hops[step.hop]!.to);
  repair(cluster, step);
  if (step.kind === 'verify' && !cluster.isCompleted) throw new Stuck(`${cluster.version} is not Completed`);
}

function readyMaster({ facts }: SimulatedCluster): string {
  return facts.nodes!.find((node) => isMaster(node) && node.ready === 'True')?.name ?? '';
}

/** Nothing may block the next hop in a plan of now. */
function passChecks(cluster: SimulatedCluster, shape: ClusterShape): void {
  const route = routeOf(shape);
  const rest = route.slice(route.indexOf(cluster.version));
  const [next] = planUpgrade(questionOf(shape, cluster.facts, rest)).hops;
  const blockers = next!.conditions.filter(({ effect, accepted }) => effect === 'block' && !accepted);
  if (blockers.length > 0) {
    const named = blockers.map(({ type, reason, message }) => `${type} ${reason} (${message})`);
    throw new Stuck(`a new plan is blocked: ${named.join(', ')}`);
  }
}

/** What is left to do at the end of the sheet. */
function unfinished({ version, isCompleted, facts }: SimulatedCluster, target: string): string | null {
  if (version !== target || !isCompleted) return `the cluster is at ${version}, not at ${target}`;
  const paused = (facts.pools ?? []).filter((pool) => pool.paused).map(({ name }) => name);
  if (paused.length > 0) return `pools are still paused: ${paused.join(', ')}`;
  const late = facts.nodes!.filter((node) => kubeletMinor(node) < ordinalOfVersion(target) + 13);
  if (late.length > 0) return `${late.length} nodes are not at ${target}`;
  return null;
}

/** Health checks that were active before the update. */
function unresumed(before: ClusterFacts, { facts }: SimulatedCluster): string | null {
  const active = new Set(
    (before.healthChecks ?? []).filter((each) => !each.isPaused).map(({ name }) => name),
  );
  const paused = (facts.healthChecks ?? []).filter(({ name, isPaused }) => isPaused && active.has(name));
  return paused.length === 0 ? null : `health checks are still paused: ${paused[0]!.name}`;
}

/** Budgets that a person relaxed for the drains; one without room now only had its pods repaired. */
function unrestored(before: ClusterFacts, { facts }: SimulatedCluster): string | null {
  const strict = (before.budgets ?? []).filter(
    ({ desiredHealthy, expectedPods }) => desiredHealthy >= expectedPods,
  );
  const relaxed = strict.filter(
    ({ name, desiredHealthy }) =>
      facts.budgets!.find((budget) => budget.name === name)!.desiredHealthy < desiredHealthy,
  );
  return relaxed.length === 0 ? null : `budgets are not put back: ${relaxed[0]!.name}`;
}

/** The problem of a dead end, with as few flaws and as plain a path as still have one. */
export function smallestDeadEnd(shape: ClusterShape): {
  readonly shape: ClusterShape;
  readonly problem: string;
} {
  const simpler: readonly Partial<ClusterShape>[] = [
    ...shape.flaws.map((name) => ({ flaws: shape.flaws.filter((each) => each !== name) })),
    ...[0, 1, 2, 3].filter((minors) => minors < shape.minors).map((minors) => ({ minors })),
    ...(shape.isPatchFirst ? [{ isPatchFirst: false }] : []),
    ...(shape.isPatchBetween ? [{ isPatchBetween: false }] : []),
    ...(shape.risky.length > 0 ? [{ risky: [] }] : []),
    ...(shape.strategy === 'rolling' ? [] : [{ strategy: 'rolling' as const }]),
  ];
  const smaller = simpler
    .map((changes) => ({ ...shape, ...changes }))
    .find((each) => rehearse(each) !== null);
  return smaller ? smallestDeadEnd(smaller) : { shape, problem: rehearse(shape)! };
}
