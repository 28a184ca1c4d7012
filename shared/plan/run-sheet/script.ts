import { shellWord, singleLine, singleLineCommand } from '../../text/quote.ts';
import { allConditions } from '../conditions.ts';
import type { UpgradePlan } from '../plan.ts';
import type { StepKind } from '../values.ts';
import { isUpdateFinding, placeNote, type PlanStep } from './step.ts';

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
  /^oc (?:get |wait (?:mcp\/|clusterversion\/version )|patch mcp\/|adm upgrade(?: |$)(?!.*--force)|adm wait-for-stable-cluster )/;

/** On a management cluster, for a hosted cluster whose names are known. */
const ALLOWED_FOR_HOSTED = /^oc -n \S+ (?:get |(?:patch|wait) (?:hostedcluster|nodepool)[ /])/;

/** One command of plain and quoted words: the shell expands nothing, and no quoted name is an option. */
const ONE_COMMAND = /^(?! *$)(?:(?! '-)(?:[\w @%+=:,./-]|'[^']*'|\\'))*$/;

/** Options of these commands. Others can name another cluster, or wait without an end. */
const OPTION =
  /^(?:-[Anop]|--timeout=\d+m|--(?:allow-[a-z-]+|for|minimum-stable-period|to|to-image|type)(?:=\S+)?)$/;

/** A wait that only shows what it waits for needs a person. */
const ENDS_OR_FAILS = / --timeout=\d+m$/;

/** Commands that the script may show for a person to run, and comments on them. */
const SHOWN = /^(?:# |(?:OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS=true )?oc )/;

/**
 * Bash script that carries out the steps of a plan. It checks the cluster first, skips hops that are Completed, and
 * stops where a person has to decide. The script of a blocked plan ends at the first blocker.
 */
export function planScript(plan: UpgradePlan): string {
  const { current, target, pathExists } = plan;
  const { steps } = plan.plan;
  const blocker = steps.findIndex((step) => !isRun(step, plan) && isBlocker(step, plan));
  const reachable = steps.slice(0, blocker === -1 ? steps.length : blocker);
  const body =
    pathExists.status === 'True'
      ? [...guards(plan), ...groupSteps(reachable).flatMap((group) => groupLines(group, plan))]
      : [`fail ${shellWord(`No update path: ${singleLine(pathExists.message)}`)}`];
  const end =
    blocker === -1
      ? [`printf '\\n%s\\n' ${shellWord(`The cluster is at ${target}.`)}`]
      : [...titleAndCommands(steps[blocker]!, plan), `fail 'Blocked. Resolve this, then make a new plan.'`];
  return [
    '#!/usr/bin/env bash',
    `# Run sheet from Cairn: ${commentWord(`${current} to ${target}`)}, planned at ${commentWord(plan.evaluatedAt)}.`,
    '# Runs waits, pauses and updates. Asks before every other step, and stops there without a terminal.',
    '# Run it again to continue: it skips updates that are Completed.',
    '# shellcheck disable=SC1003,SC2016 # Names and texts are quoted so that nothing in them is expanded.',
    'set -euo pipefail',
    '',
    ...functionsFor(plan, [...body, ...end]),
    '',
    ...body,
    ...(pathExists.status === 'True' ? ['', ...end] : []),
    '',
  ].join('\n');
}

/** Where a script reads the version of its cluster. */
interface VersionSource {
  readonly kind: string;
  readonly command: string;
  readonly desired: string;
  readonly histories: readonly string[];
}

function versionSource({ cluster: { hosted } }: UpgradePlan): VersionSource {
  if (hosted === undefined) {
    return {
      kind: 'ClusterVersion',
      command: 'oc get clusterversion version',
      desired: '.status.desired.version',
      histories: ['.status.history'],
    };
  }
  const [namespace = '', name = ''] = hosted.split('/');
  return {
    kind: 'HostedCluster',
    command: `oc -n ${shellWord(namespace)} get hostedcluster ${shellWord(name)}`,
    desired: '.status.version.desired.version',
    // Newer HyperShift operators report the control plane separately.
    histories: ['.status.version.history', '.status.controlPlaneVersion.history'],
  };
}

/** In the order of their use of each other. */
const functionTexts = ({
  kind,
  command,
  desired,
  histories,
}: VersionSource): Readonly<Record<string, string>> => ({
  fail: `fail() { printf '%s\\n' "$1" >&2; exit 1; }`,
  step: `step() { printf '\\n== %s: %s\\n' "$1" "$2"; }`,
  run: `run() { printf '+'; printf ' %q' "$@"; printf '\\n'; "$@"; }`,
  ask: `ask() {
  local reply
  [ -t 0 ] || fail 'Stopped: this step needs a person. Run the script again in a terminal.'
  read -r -p 'Done? [y/N] ' reply || reply=''
  case $reply in [yY] | [yY][eE][sS]) ;; *) fail 'Stopped. Run the script again to continue.' ;; esac
}`,
  cluster_version: `cluster_version() {
  ${command} -o jsonpath="$1" || fail 'Cannot read the ${kind}.'
}`,
  is_desired: `is_desired() {
  local desired
  desired=$(cluster_version '{${desired}}') || exit 1
  [ "$desired" = "$1" ]
}`,
  is_completed: `is_completed() {
  local history
  history=$(cluster_version '${histories.map((path) => `{range ${path}[?(@.state=="Completed")]}{.version}{"\\n"}{end}`).join('')}') || exit 1
  grep -qxF -- "$1" <<<"$history"
}`,
});

/** Only functions that the script calls. */
function functionsFor(plan: UpgradePlan, lines: readonly string[]): string[] {
  const isCalled = (name: string) => lines.some((line) => new RegExp(`(^|[\\s(])${name}( |$)`).test(line));
  return Object.entries(functionTexts(versionSource(plan))).flatMap(([name, text]) =>
    isCalled(name) ? [text] : [],
  );
}

/** Refuses another cluster, and a version that is not on the path. */
function guards(plan: UpgradePlan): string[] {
  const { id } = plan.cluster;
  const versions = [plan.current ?? '', ...plan.hops.map(({ to }) => to)];
  return [
    ...(id === null
      ? [`printf '%s\\n' 'The documents have no cluster ID. Check that oc uses the right cluster.'`, 'ask']
      : [
          `[ "$(cluster_version '{.spec.clusterID}')" = ${shellWord(id)} ] || fail ${shellWord(`This is not cluster ${id}.`)}`,
        ]),
    `current=$(cluster_version '{${versionSource(plan).desired}}')`,
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
  const linesOf = (some: readonly PlanStep[]) => some.flatMap((step) => stepLines(step, plan));
  if (hop === null) return ['', ...linesOf(steps)];
  const to = shellWord(plan.hops[hop]!.to);
  const all = plan.plan.steps;
  const update = all.findIndex((step) => step.hop === hop && isUpdate(step));
  const before = steps.filter((step) => all.indexOf(step) <= update);
  const after = steps.slice(before.length);
  return [
    '',
    ...unless(`is_completed ${to}`, [
      // An interrupted script must not unpause pools during an update, nor start it or prepare for it twice.
      ...(before.length === 0 ? [] : unless(`is_desired ${to}`, linesOf(before))),
      ...linesOf(after),
    ]),
  ];
}

function unless(command: string, lines: readonly string[]): string[] {
  return [`if ! ${command}; then`, ...lines.map((line) => `  ${line}`), 'fi'];
}

function stepLines(step: PlanStep, plan: UpgradePlan): string[] {
  return isRun(step, plan)
    ? [titleOf(step, plan), ...runLines(step, commandsOf(step), plan)]
    : [...titleAndCommands(step, plan), 'ask'];
}

/** Steps inside a hosted cluster need another kubeconfig. */
function isRun(step: PlanStep, { cluster: { hosted } }: UpgradePlan): boolean {
  const allowed = hosted === undefined ? ALLOWED : ALLOWED_FOR_HOSTED;
  return (
    RUN_KINDS.has(step.kind) &&
    step.where !== 'hosted' &&
    (step.kind !== 'wait' || commandsOf(step).some((command) => ENDS_OR_FAILS.test(command))) &&
    commandsOf(step).every((command) => allowed.test(command) && isSafe(command))
  );
}

function isSafe(command: string): boolean {
  const words = command.replaceAll(/'[^']*'|\\'/g, 'quoted').split(' ');
  return ONE_COMMAND.test(command) && words.every((word) => !word.startsWith('-') || OPTION.test(word));
}

/** The step starts the update of its hop; a change of the channel has the same kind. */
function isUpdate(step: PlanStep): boolean {
  return step.kind === 'update' && commandsOf(step).some((command) => / --to|"release"/.test(command));
}

function commandsOf({ command, commands }: PlanStep): readonly string[] {
  return commands ?? (command === undefined ? [] : [command]);
}

function titleOf(step: PlanStep, { plan: { steps } }: UpgradePlan): string {
  const position = `${steps.indexOf(step) + 1} of ${steps.length}`;
  return `step ${shellWord(position)} ${shellWord(`${singleLine(step.text)}${placeNote(step.where)}`)}`;
}

function titleAndCommands(step: PlanStep, plan: UpgradePlan): string[] {
  return [titleOf(step, plan), ...shown(commandsOf(step))];
}

function shown(commands: readonly string[]): string[] {
  return commands
    .filter((command) => SHOWN.test(command))
    .map((command) => `printf '  %s\\n' ${shellWord(singleLineCommand(command))}`);
}

function runLines(step: PlanStep, commands: readonly string[], plan: UpgradePlan): string[] {
  const { kind } = step;
  // A second command is for clusters without an update service.
  const [run, alternatives] = kind === 'update' ? [commands.slice(0, 1), commands.slice(1)] : [commands, []];
  const version = completedBy(step, plan);
  return [
    ...shown(alternatives),
    ...run.map((command) => `run ${command}`),
    ...(version === null
      ? []
      : [`is_completed ${shellWord(version)} || fail ${shellWord(`${version} is not Completed.`)}`]),
  ];
}

/** Version that is Completed after the step: the commands can succeed while an update is only accepted, or stopped. */
function completedBy({ kind, hop, resolves = [] }: PlanStep, { hops, current }: UpgradePlan): string | null {
  if (kind === 'verify' && hop !== null) return hops[hop]!.to;
  return kind === 'wait' && resolves.some(isUpdateFinding) ? current : null;
}

/** The step resolves a finding that blocks a hop today, such as the first minor after a patch. */
function isBlocker({ resolves = [] }: PlanStep, plan: UpgradePlan): boolean {
  return allConditions(plan).some(
    ({ type, reason, effect, accepted }) =>
      effect === 'block' &&
      accepted !== true &&
      resolves.some((finding) => finding.type === type && finding.reason === reason),
  );
}

function commentWord(text: string): string {
  return text.replaceAll(/[^-\w.:+ ]/g, '');
}
