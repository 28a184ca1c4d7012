import { namesInWords } from '../../text/words.ts';
import type { Minor } from '../../version/minor.ts';
import { acknowledgeCommands } from './admin-acks.ts';
import type { Finding } from '../skew-condition.ts';
import { finding } from '../findings.ts';
import type { AdminGate } from '../tables/admin-gates.ts';

export const ACKS_TYPE = 'AdminAcksCompleted';
export const ACK_REQUIRED = 'AdminAckRequired';

/** Gates of our table that are not known to be acknowledged. */
export function gateFinding(
  leaves: Minor,
  gates: readonly AdminGate[],
  effect: 'info' | 'warn' | 'block',
): Finding {
  const keys = gates.map(({ key }) => key);
  const message = `Releases of ${leaves} ask an administrator to acknowledge ${namesInWords(keys)} before they are left; that may be done ahead of time`;
  return {
    ...finding(ACKS_TYPE, 'False', ACK_REQUIRED, message, effect),
    origin: 'catalogue',
    objects: gates.map(({ key, url }) => ({
      kind: 'AdminGate',
      name: key,
      detail: { reason: ACK_REQUIRED, url },
    })),
    remediation: acknowledgeCommands(gates),
    ...(gates[0] && { url: gates[0].url }),
  };
}
