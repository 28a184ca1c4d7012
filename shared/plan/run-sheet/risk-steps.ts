import type { HopRisk } from '../../risk/cluster-risks.ts';
import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { isHosted } from '../../safety/evidence/hosted.ts';
import { isAcceptableName, isGuard, takesAcceptedRisks } from '../../safety/evidence/risks.ts';
import { RISK_KIND } from '../../safety/values.ts';
import { shellWord, singleLine } from '../../text/quote.ts';
import { joinInWords } from '../../text/words.ts';
import { ordinalOf } from '../../version/release-line.ts';
import { COMMENT, isActedOn, shortText, type StepDraft, type StepHop, type UpdateQuestion } from './step.ts';

/** `oc` hides the command without this variable. */
export const ACCEPT_COMMAND = 'OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS=true oc adm upgrade accept';

/** Known risks to read before each hop, to accept where the cluster has a command for it, and to remove at the end. */
export function riskSteps(question: RiskQuestion): StepDraft[] {
  const { facts, hops } = question;
  const canAccept = hasCommand(question);
  const accepted = new Set(facts.clusterVersion?.acceptedRisks ?? []);
  const used = new Set<string>();
  const steps = hops.flatMap((evaluated): StepDraft[] => {
    const names = risksIn(evaluated.conditions).map(({ name }) => name);
    const missing = names.filter((name) => isAcceptableName(name) && !accepted.has(name));
    for (const name of names.filter(isAcceptableName)) used.add(name);
    for (const name of missing) accepted.add(name);
    const comments = missing.flatMap((name) => acceptedBy(name, evaluated) ?? []);
    const commands = [...comments.map((text) => shortText(`${COMMENT}${text}`)), acceptCommand(missing)];
    return accept(evaluated, canAccept && missing.length > 0 ? commands : []);
  });
  return canAccept && used.size > 0 ? [...steps, removeAccepted([...used].toSorted())] : steps;
}

type RiskQuestion = Pick<UpdateQuestion, 'facts' | 'hops'>;

/** Feature sets with the gate `ClusterUpdateAcceptRisks`. */
const PREVIEWS: ReadonlySet<string> = new Set(['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade']);
/** First minor with the gate: 4.22. */
const FIRST_WITH_GATE = 22;

function hasCommand({ facts, hops }: RiskQuestion): boolean {
  const { clusterVersion, featureSet } = facts;
  if (isHosted(facts) || clusterVersion === null) return false;
  const [first] = hops;
  const hasGate =
    PREVIEWS.has(featureSet ?? '') && first !== undefined && ordinalOf(first.hop.from) >= FIRST_WITH_GATE;
  return takesAcceptedRisks(clusterVersion) || hasGate;
}

/** The cluster does not recommend the update of the hop, even after its accepted risks were accepted in it. */
export function isOverRisks(evaluated: StepHop, question: RiskQuestion): boolean {
  const canAccept = hasCommand(question);
  // A cluster lifts only accepted risks that it knows to apply.
  const isLifted = (name: string): boolean => {
    const { applies, accepted } = riskOf(name, evaluated) ?? {};
    return canAccept && accepted !== undefined && applies === 'yes' && isAcceptableName(name);
  };
  return risksIn(evaluated.conditions).some(({ name }) => !isGuard(name) && !isLifted(name));
}

/** Risks that the cluster or the graph names for the hop, also accepted ones, unless they do not apply. */
function risksIn(conditions: readonly Condition[]): readonly ConditionObject[] {
  const objects = conditions
    .filter(({ type }) => type === 'PathRecommended')
    .flatMap(({ objects: named = [] }) => named)
    .filter(({ kind, detail }) => kind === RISK_KIND && detail?.['applies'] !== 'no');
  return [...new Map(objects.map((object) => [object.name, object])).values()];
}

function riskOf(name: string, { risks }: StepHop): HopRisk | undefined {
  return risks.find((risk) => risk.name === name);
}

function accept(evaluated: StepHop, commands: readonly string[]): StepDraft[] {
  const { hop, conditions } = evaluated;
  // Guards are resolved instead of accepted.
  const hasRisks = (condition: Condition) => risksIn([condition]).some(({ name }) => !isGuard(name));
  const found = conditions.filter((condition) => isActedOn(condition) && hasRisks(condition));
  const named = found.length > 0 || commands.length === 0 ? found : conditions.filter(hasRisks);
  const all = risksIn(named);
  const risks = all.filter(({ name }) => !isGuard(name));
  const guards = all.flatMap(({ name }) => (isGuard(name) ? [name] : []));
  if (risks.length === 0) return [];
  const what =
    found.length > 0
      ? `Read the known risks of ${hop.to.raw}, and accept them if you can`
      : `Accept the known risks of ${hop.to.raw} in the cluster`;
  const instead =
    guards.length === 0
      ? ''
      : `. Resolve ${joinInWords(guards)} instead: the plan has a finding for the cause`;
  return [
    {
      phase: 'accept',
      kind: 'accept',
      hop: hop.index,
      text: `${what}: ${risks.map(riskInWords).join(', ')}${instead}`,
      commands,
      objects: risks,
      resolves: found,
      blocking: commands.length > 0 || found.some((condition) => condition.accepted !== true),
    },
  ];
}

function riskInWords({ name, detail = {} }: ConditionObject): string {
  const { url, accepted } = detail;
  const notes = [
    ...(typeof url === 'string' && url !== '' ? [url] : []),
    ...(accepted === true ? ['accepted'] : []),
  ];
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
}

/** Null for an acceptance by name only, as in settings. */
function acceptedBy(name: string, evaluated: StepHop): string | null {
  const { reason, owner, until } = riskOf(name, evaluated)?.accepted ?? {};
  if (!reason || !owner || !until) return null;
  return singleLine(`${name} accepted by ${owner} until ${until}: ${reason}`);
}

function acceptCommand(names: readonly string[]): string {
  return `${ACCEPT_COMMAND} ${names.map(shellWord).join(',')}`;
}

function removeAccepted(names: readonly string[]): StepDraft {
  return {
    phase: 'clear',
    kind: 'accept',
    hop: null,
    text: `If later updates should not go on with these risks, remove their acceptance: ${names.join(', ')}`,
    commands: [acceptCommand(names.map((name) => `${name}-`))],
    blocking: false,
  };
}
