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
 * stops where a person has to decide. The script of a blocked plan ends at the first blocker.
 */
export function planScript(plan: UpgradePlan): string {
  const { current, target, pathExists } = plan;
  const { steps } = plan.plan;
  const blocker = steps.findIndex((step) => !isRun(step) && step.hop === 0 && blocksNow(step, plan));
  const reachable = steps.slice(0, blocker === -1 ? steps.length : blocker);
  const body =
    pathExists.status === 'True'
      ? [...guards(plan), ...groupSteps(reachable).flatMap((group) => groupLines(group, plan))]
      : [`fail ${shellWord(`No update path: ${oneLine(pathExists.message)}`)}`];
  const end =
    blocker === -1
      ? [`printf '\\n%s\\n' ${shellWord(`The cluster is at ${target}.`)}`]
      : [...titleAndCommands(steps[blocker]!, plan), `fail 'Blocked. Resolve this, then make a new plan.'`];
  return [
    '#!/usr/bin/env bash',
    `# Run sheet from Cairn: ${commentWord(`${current} to ${target}`)}, planned at ${plan.evaluatedAt}.`,
    '# Runs waits, pauses and updates. Asks before every other step, and stops there without a terminal.',
    '# Run it again to continue: it skips updates that are Completed.',
    'set -euo pipefail',
    '',
    ...functionsFor(body, end),
    '',
    ...body,
    ...(pathExists.status === 'True' ? ['', ...end] : []),
    '',
  ].join('\n');
}

/** In the order of their use of each other. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  fail: `fail() { printf '%s\\n' "$1" >&2; exit 1; }`,
  step: `step() { printf '\\n== %s: %s\\n' "$1" "$2"; }`,
  run: `run() { printf '+'; printf ' %q' "$@"; printf '\\n'; "$@"; }`,
  ask: `ask() {
  local reply
  [ -t 0 ] || fail 'Stopped: this step needs a person. Run the script again in a terminal.'
  read -r -p 'Done? [y/N] ' reply
  case $reply in [yY] | [yY][eE][sS]) ;; *) fail 'Stopped. Run the script again to continue.' ;; esac
}`,
  cluster_version: `cluster_version() {
  oc get clusterversion version -o jsonpath="$1" || fail 'Cannot read the ClusterVersion.'
}`,
  is_desired: `is_desired() {
  local desired
  desired=$(cluster_version '{.status.desired.version}') || exit 1
  [ "$desired" = "$1" ]
}`,
  is_completed: `is_completed() {
  local history
  history=$(cluster_version '{range .status.history[?(@.state=="Completed")]}{.version}{"\\n"}{end}') || exit 1
  grep -qxF -- "$1" <<<"$history"
}`,
};

/** Only functions that the script calls. */
function functionsFor(...parts: readonly (readonly string[])[]): string[] {
  const lines = parts.flat();
  const isCalled = (name: string) => lines.some((line) => new RegExp(`(^|[\\s(])${name}( |$)`).test(line));
  return Object.entries(FUNCTIONS).flatMap(([name, text]) => (isCalled(name) ? [text] : []));
}

/** Refuses another cluster, and a version that is not on the path. */
function guards({ cluster: { id }, hops }: UpgradePlan): string[] {
  if (hops.length === 0) return [];
  const versions = [hops[0]!.from, ...hops.map(({ to }) => to)];
  return [
    ...(id === null
      ? [`printf '%s\\n' 'The documents have no cluster ID. Check that oc uses the right cluster.'`, 'ask']
      : [
          `[ "$(cluster_version '{.spec.clusterID}')" = ${shellWord(id)} ] || fail ${shellWord(`This is not cluster ${id}.`)}`,
        ]),
    `current=$(cluster_version '{.status.desired.version}')`,
    'case $current in',
    `  ${versions.map(shellWord).join(' | ')}) ;;`,
    '  *) fail "The cluster is at $current, which is not on the path. Make a new plan." ;;',
    'esac',
  ];
}

interface StepGroup {
  readonly hop: number | null;
  readonly steps: PlanStep[];
}

/** Neighbors of one hop, so that a Completed hop is skipped as a whole. */
function groupSteps(steps: readonly PlanStep[]): StepGroup[] {
  const groups: StepGroup[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && last.hop === step.hop) last.steps.push(step);
    else groups.push({ hop: step.hop, steps: [step] });
  }
  return groups;
}

function groupLines({ hop, steps }: StepGroup, plan: UpgradePlan): string[] {
  const lines = steps.flatMap((step) => stepLines(step, plan));
  if (hop === null) return ['', ...lines];
  return [
    '',
    `if ! is_completed ${shellWord(plan.hops[hop]!.to)}; then`,
    ...lines.map((line) => `  ${line}`),
    'fi',
  ];
}

function stepLines(step: PlanStep, plan: UpgradePlan): string[] {
  return isRun(step)
    ? [titleOf(step, plan), ...runLines(step, commandsOf(step), plan)]
    : [...titleAndCommands(step, plan), 'ask'];
}

function isRun(step: PlanStep): boolean {
  return RUN_KINDS.has(step.kind) && commandsOf(step).every((command) => ALLOWED.test(command));
}

function commandsOf({ command, commands }: PlanStep): readonly string[] {
  return commands ?? (command === undefined ? [] : [command]);
}

function titleOf(step: PlanStep, { plan: { steps } }: UpgradePlan): string {
  const position = `${steps.indexOf(step) + 1} of ${steps.length}`;
  return `step ${shellWord(position)} ${shellWord(oneLine(step.text))}`;
}

function titleAndCommands(step: PlanStep, plan: UpgradePlan): string[] {
  const shown = commandsOf(step).map((command) => `printf '  %s\\n' ${shellWord(command)}`);
  return [titleOf(step, plan), ...shown];
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
