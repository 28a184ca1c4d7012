import { namesInWords } from '../../../text/words.ts';
import { type Minor, minorOf } from '../../../version/minor.ts';
import { type Check, type Finding, finding } from '../../condition.ts';
import { acknowledgeCommands, type AdminGate, gatesOfHop } from '../../tables/admin-gates.ts';

/** For assumed facts: gates that every cluster has, then gates that depend on the cluster. */
export const gatesToAcknowledge: Check = ({ hop }) => {
  const gates = gatesOfHop(hop, { infrastructure: null });
  const leaves = minorOf(hop.from);
  return [
    ...noteFor(
      gates.filter(({ isConditional }) => !isConditional),
      'AdminAckRequired',
      leaves,
    ),
    ...noteFor(
      gates.filter(({ isConditional }) => isConditional),
      'AdminAckCannotTell',
      leaves,
    ),
  ];
};

function noteFor(gates: readonly AdminGate[], reason: string, leaves: Minor): readonly Finding[] {
  const [first] = gates;
  if (!first) return [];
  const isRequired = reason === 'AdminAckRequired';
  const keys = namesInWords(gates.map(({ key }) => key));
  const message = `${leaves} ${isRequired ? 'requires' : 'can require, depending on the cluster,'} administrator acknowledgment: ${keys}`;
  return [
    {
      ...finding({
        type: 'AdminAcksCompleted',
        status: isRequired ? 'False' : 'Unknown',
        reason,
        message,
        effect: 'info',
      }),
      origin: 'catalogue',
      objects: gates.map(({ key, url }) => ({
        kind: 'AdminGate',
        name: key,
        detail: { reason, ...(url !== undefined && { url }) },
      })),
      ...(isRequired && { remediation: acknowledgeCommands(gates) }),
      ...(first.url !== undefined && { url: first.url }),
    },
  ];
}
