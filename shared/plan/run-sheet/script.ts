import { groupBy } from '../../collection/group-by.ts';
import { shellWord } from '../../text/quote.ts';
import type { UpgradePlan } from '../plan.ts';
import type { StepKind } from '../values.ts';
import type { PlanStep } from './step.ts';

/** Kinds that the script runs. It asks before every other kind: those need a decision, or work outside the cluster. */
const RUN_KINDS: ReadonlySet<StepKind> = new Set([
  'wait',
  'verify',
  'pause',
  'unpause',
  'roll-pool',
  'update',
]);

/** Commands that the script may run; their names are quoted by the run sheet. */
const ALLOWED =
  /^oc (?:get |wait (?:mcp\/|clusterversion\/version )|patch mcp\/|adm upgrade(?: |$)|adm wait-for-stable-cluster )/;

/**
 * Bash script that carries out the steps of a plan. It checks the cluster first, skips hops that are Completed, and
 * stops where a person has to decide and at the first blocker of a blocked plan.
 */
export function planScript(plan: UpgradePlan): string {
  const { steps } = plan.plan;
  const versions = plan.hops.length > 0 ? [plan.hops[0]!.from, ...plan.hops.map(({ to }) => to)] : [];
  const title = `${plan.current ?? 'unknown version'} to ${plan.target ?? 'unknown target'}`;
  const groups = groupSteps(steps);
  return [
    '#!/usr/bin/env bash',
    `# Run sheet from Cairn: ${commentWord(title)}, planned at ${plan.evaluatedAt}.`,
    '# Runs waits, pauses and updates. Asks before every other step, and stops there without a terminal.',
    '# Run it again to continue: it skips updates that are Completed.',
    'set -euo pipefail',
    '',
    ...FUNCTIONS,
    '',
    ...guards(plan, versions),
    ...groups.flatMap((group) => groupLines(group, plan, steps.length)),
    ...(steps.length > 0 ? ['', `printf '\\n%s\\n' ${shellWord(`The cluster is at ${plan.target}.`)}`] : []),
    '',
  ].join('\n');
}

const FUNCTIONS = [
  `fail() { printf '%s\\n' "$1" >&2; exit 1; }`,
  `step() { printf '\\n== %s: %s\\n' "$1" "$2"; }`,
  `run() { printf '+'; printf ' %q' "$@"; printf '\\n'; "$@"; }`,
  'ask() {',
  '  local reply',
  `  [ -t 0 ] || fail 'Stopped: this step needs a person. Run the script again in a terminal.'`,
  `  read -r -p 'Done? [y/N] ' reply`,
  `  case $reply in [yY] | [yY][eE][sS]) ;; *) fail 'Stopped. Run the script again to continue.' ;; esac`,
  '}',
  'cluster_version() {',
  `  oc get clusterversion version -o jsonpath="$1" || fail 'Cannot read the ClusterVersion.'`,
  '}',
  `is_desired() { [ "$(cluster_version '{.status.desired.version}')" = "$1" ]; }`,
  'is_completed() {',
  '  local history',
  `  history=$(cluster_version '{range .status.history[?(@.state=="Completed")]}{.version}{"\\n"}{end}') || exit 1`,
  '  grep -qxF -- "$1" <<<"$history"',
  '}',
];

/** Refuses another cluster, another version, and a plan without a path. */
function guards({ cluster, pathExists }: UpgradePlan, versions: readonly string[]): string[] {
  if (pathExists.status !== 'True')
    return [`fail ${shellWord(`No update path: ${oneLine(pathExists.message)}`)}`];
  if (versions.length === 0) return [];
  const id = cluster.id;
  return [
    ...(id === null
      ? [`printf '%s\\n' 'The documents have no cluster ID. Check that oc uses the right cluster.'`, 'ask']
      : [
          `[ "$(cluster_version '{.spec.clusterID}')" = ${shellWord(id)} ] || fail ${shellWord(`This is not cluster ${id}.`)}`,
        ]),
    `current=$(cluster_version '{.status.desired.version}')`,
    `case $current in`,
    `  ${versions.map(shellWord).join(' | ')}) ;;`,
    `  *) fail "The cluster is at $current, which is not on the path. Make a new plan." ;;`,
    'esac',
  ];
}

interface StepGroup {
  readonly hop: number | null;
  readonly steps: readonly { readonly step: PlanStep; readonly number: number }[];
}

/** Neighbors of one hop, so that a Completed hop is skipped as a whole. */
function groupSteps(steps: readonly PlanStep[]): StepGroup[] {
  let run = 0;
  const marked = steps.map((step, index) => {
    if (index > 0 && steps[index - 1]!.hop !== step.hop) run++;
    return { step, number: index + 1, run };
  });
  return [...groupBy(marked, (each) => each.run).values()].map((members) => ({
    hop: members[0]!.step.hop,
    steps: members,
  }));
}

function groupLines({ hop, steps }: StepGroup, plan: UpgradePlan, count: number): string[] {
  const lines = steps.flatMap(({ step, number }) => stepLines(step, `${number} of ${count}`, plan));
  if (hop === null) return lines;
  const version = shellWord(plan.hops[hop]!.to);
  const skipped = lines.map((line) => (line === '' ? '' : `  ${line}`));
  return ['', `if ! is_completed ${version}; then`, ...skipped, 'fi'];
}

function stepLines(step: PlanStep, position: string, plan: UpgradePlan): string[] {
  const { kind, text, command, hop } = step;
  const commands = step.commands ?? (command === undefined ? [] : [command]);
  const title = `step ${shellWord(position)} ${shellWord(oneLine(text))}`;
  const isRun = RUN_KINDS.has(kind) && commands.every((each) => ALLOWED.test(each));
  if (isRun) return [title, ...runLines(step, commands, plan)];
  const shown = commands.map((each) => `printf '  %s\\n' ${shellWord(each)}`);
  const isBlocker = hop === 0 && blocksNow(step, plan);
  return [title, ...shown, isBlocker ? `fail 'Blocked. Resolve this, then make a new plan.'` : 'ask'];
}

function runLines({ kind, hop }: PlanStep, commands: readonly string[], plan: UpgradePlan): string[] {
  const to = hop === null ? null : plan.hops[hop]!.to;
  const [first = ''] = commands;
  if (kind === 'update' && to !== null && /--to(?:-image)?=/.test(first)) {
    // An interrupted script must not start an update twice. A second command is for clusters without an update service.
    return [`is_desired ${shellWord(to)} || run ${first}`];
  }
  const lines = commands.map((command) => `run ${command}`);
  if (kind !== 'verify' || to === null) return lines;
  return [...lines, `is_completed ${shellWord(to)} || fail ${shellWord(`${to} is not Completed.`)}`];
}

/** The step resolves a finding that blocks the first hop today. */
function blocksNow({ resolves = [] }: PlanStep, { hops }: UpgradePlan): boolean {
  return (hops[0]?.conditions ?? []).some(
    ({ type, reason, effect, accepted }) =>
      effect === 'block' &&
      accepted !== true &&
      resolves.some((finding) => finding.type === type && finding.reason === reason),
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function commentWord(text: string): string {
  return text.replaceAll(/[^-\w.+ ]/g, '');
}
