import type { Condition, ConditionObject } from '../../safety/condition.ts';
import { isHosted } from '../../safety/evidence/hosted.ts';
import { isAcceptableName, isGuard, takesAcceptedRisks } from '../../safety/evidence/risks.ts';
import { RISK_KIND } from '../../safety/values.ts';
import { shellWord } from '../../text/quote.ts';
import { joinInWords } from '../../text/words.ts';
import { isActedOn, type StepDraft, type StepHop, type UpdateQuestion } from './step.ts';

/** `oc` hides the command without this variable. */
export const ACCEPT_COMMAND = 'OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS=true oc adm upgrade accept';

/** Known risks to read before each hop, to accept where the cluster has a command for it, and to remove at the end. */
export function riskSteps({ facts, hops }: Pick<UpdateQuestion, 'facts' | 'hops'>): StepDraft[] {
  const { clusterVersion } = facts;
  const hasCommand = !isHosted(facts) && clusterVersion !== null && takesAcceptedRisks(clusterVersion);
  const accepted = new Set(clusterVersion?.acceptedRisks ?? []);
  const used = new Set<string>();
  const steps = hops.flatMap((evaluated): StepDraft[] => {
    const names = risksIn(evaluated.conditions).map(({ name }) => name);
    const missing = names.filter((name) => isAcceptableName(name) && !accepted.has(name));
    for (const name of names.filter(isAcceptableName)) used.add(name);
    for (const name of missing) accepted.add(name);
    return accept(evaluated, hasCommand && missing.length > 0 ? [acceptCommand(missing)] : []);
  });
  return hasCommand && used.size > 0 ? [...steps, removeAccepted([...used].toSorted())] : steps;
}

/**
 * The cluster, or the graph, gives risks for the hop; accepted ones are included. Not those that are resolved instead of
 * accepted.
 */
export function hasRisks(conditions: readonly Condition[]): boolean {
  return risksIn(conditions).some(({ name }) => !isGuard(name));
}

function risksIn(conditions: readonly Condition[]): readonly ConditionObject[] {
  const objects = conditions
    .filter(({ type }) => type === 'PathRecommended')
    .flatMap(({ objects: named = [] }) => named)
    .filter(({ kind, detail }) => kind === RISK_KIND && detail?.['applies'] !== 'False');
  return [...new Map(objects.map((object) => [object.name, object])).values()];
}

function accept({ hop, conditions }: StepHop, commands: readonly string[]): StepDraft[] {
  const found = conditions.filter((condition) => isActedOn(condition) && hasRisks([condition]));
  const risks = risksIn(found).filter(({ name }) => !isGuard(name));
  const guards = risksIn(found).flatMap(({ name }) => (isGuard(name) ? [name] : []));
  if (risks.length === 0) return [];
  const instead =
    guards.length === 0
      ? ''
      : `. Resolve ${joinInWords(guards)} instead: the plan has a finding for the cause`;
  return [
    {
      phase: 'accept',
      kind: 'accept',
      hop: hop.index,
      text: `Read the known risks of ${hop.to.raw}, and accept them if you can: ${risks.map(riskInWords).join(', ')}${instead}`,
      commands,
      objects: risks,
      resolves: found,
      blocking: found.some((condition) => condition.accepted !== true),
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
