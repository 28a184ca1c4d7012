import { groupBy } from '../../collection/group-by.ts';
import { DRAINS, nameOf, readCommands } from '../../safety/checks/health/drains-possible.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { listInWords } from '../../text/words.ts';
import type { PoolPlan } from '../pools.ts';
import { rebootsPools, type StepDraft, type StepHop } from './step.ts';

interface DrainQuestion {
  readonly hops: readonly StepHop[];
  readonly pools: readonly PoolPlan[];
}

interface Obstacle {
  readonly object: ConditionObject;
  readonly condition: Condition;
  /** First hop with which a node of the object reboots. */
  readonly hop: number;
}

/** What to do before the drain. `names` are at most ten. */
const TEXTS: Readonly<Record<string, (names: string, rolling: string) => string>> = {
  BudgetNeverAllows: (names, rolling) =>
    `Give disruption budgets room: add a replica, or relax them while ${rolling}: ${names}`,
  BudgetAllowsNoneNow: (names, rolling) =>
    `Repair the pods of disruption budgets that have no room, before ${rolling}: ${names}`,
  BudgetAllowsNone: (names) => `Check on which nodes disruption budgets without room have pods: ${names}`,
  PodInTwoBudgets: (names, rolling) =>
    `Leave one disruption budget for each pod, before ${rolling}: ${names}`,
  VirtualMachineCannotMigrate: (names, rolling) =>
    `Make virtual machines migratable, or stop them before ${rolling}: ${names}`,
  UnownedPods: (names, rolling) => `Save pods that nothing creates again, before ${rolling}: ${names}`,
};

/** Budgets of the platform are managed by its operators. */
const PLATFORM_TEXT = (names: string, rolling: string): string =>
  `Repair the pods of the platform before ${rolling}; do not change their disruption budgets: ${names}`;

/** Reasons after which a person puts something back. */
const TEMPORARY: ReadonlySet<string> = new Set(['BudgetNeverAllows', 'PodInTwoBudgets', 'UnownedPods']);

/** Steps before the first drain of each object, and steps at the end that undo them. */
export function drainSteps(question: DrainQuestion): StepDraft[] {
  const obstacles = firstHops(question.hops);
  const groups = groupBy(obstacles, ({ object, condition, hop }) =>
    JSON.stringify([hop, condition.reason, isPlatform(object)]),
  );
  return [
    ...[...groups.values()].map((group) => beforeDrain(group, question)),
    ...putBack(
      obstacles.filter(({ object, condition }) => TEMPORARY.has(condition.reason) && !isPlatform(object)),
    ),
  ];
}

function firstHops(hops: readonly StepHop[]): Obstacle[] {
  const found = new Map<string, Obstacle>();
  for (const { hop, conditions } of hops) {
    const blocking = conditions.filter(
      ({ type, reason, effect }) => type === DRAINS && effect === 'warn' && Object.hasOwn(TEXTS, reason),
    );
    for (const condition of blocking) {
      for (const object of condition.objects ?? []) {
        const key = JSON.stringify([condition.reason, object.kind, object.namespace, object.name]);
        if (!found.has(key)) found.set(key, { object, condition, hop: hop.index });
      }
    }
  }
  return [...found.values()];
}

function isPlatform({ detail }: ConditionObject): boolean {
  return detail?.['platform'] === true;
}

/** Whether nodes of the pools reboot before the first hop: a pool rolls out now, or a step changes all pools. */
function isDrainedFirst(pools: readonly string[], hops: readonly StepHop[]): boolean {
  const conditions = hops.flatMap((hop) => hop.conditions);
  const updating = conditions
    .filter(({ type, reason }) => type === 'PoolsReady' && reason === 'PoolUpdating')
    .flatMap(({ objects = [] }) => objects.map(({ name }) => name));
  return conditions.some(rebootsPools) || pools.some((pool) => updating.includes(pool));
}

function beforeDrain(group: readonly Obstacle[], { hops, pools }: DrainQuestion): StepDraft {
  const [{ condition, hop, object }] = group as readonly [Obstacle, ...Obstacle[]];
  const objects = group.map((each) => each.object);
  const names = listInWords(objects.map(nameOf));
  const concerned = [...new Set(objects.flatMap(({ detail }) => (detail?.['pools'] ?? []) as string[]))];
  const rolling =
    concerned.length === 0
      ? 'nodes are drained'
      : `pool${concerned.length === 1 ? '' : 's'} ${listInWords(concerned.toSorted())} ${concerned.length === 1 ? 'rolls' : 'roll'}`;
  const text = isPlatform(object) ? PLATFORM_TEXT : TEXTS[condition.reason]!;
  // A pool that catches up before the first hop is drained before all other steps of that hop.
  const isFirst = pools.some(
    ({ pool, rolls }) =>
      pool !== null && concerned.includes(pool) && rolls.some(({ beforeHop }) => beforeHop === 0),
  );
  const isNow = isDrainedFirst(concerned, hops);
  return {
    phase: isNow ? 'repair' : hop === 0 && isFirst ? 'prepare' : 'drain',
    ...(isNow && { repair: 'drains' as const }),
    kind: condition.reason === 'BudgetAllowsNone' ? 'check' : 'fix',
    hop: isNow ? 0 : hop,
    text: text(names, rolling),
    commands: readCommands(objects),
    objects,
    resolves: [condition],
    blocking: false,
  };
}

function putBack(obstacles: readonly Obstacle[]): StepDraft[] {
  if (obstacles.length === 0) return [];
  const objects = obstacles.map(({ object }) => object);
  const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
  return [
    {
      phase: 'restore',
      kind: 'check',
      hop: null,
      text: `Put back what you changed for the drains: ${listInWords([...new Set(objects.map(nameOf))])}`,
      commands: readCommands(budgets),
      objects,
      resolves: obstacles.map(({ condition }) => condition),
      blocking: false,
    },
  ];
}
