import type { Finding } from './skew-condition.ts';
import { INPUT_MISSING } from './effects.ts';
import { finding } from './findings.ts';

/** A check that cannot tell, because what it looks at was not supplied: says what to send. */
export function inputMissing(type: string, what: string, commands: readonly string[]): Finding {
  const printed = commands.map((command) => `\`${command}\``).join(' and ');
  const message = `Not known, because ${what} not supplied; send what ${printed} ${commands.length === 1 ? 'prints' : 'print'}`;
  return { ...finding(type, 'Unknown', INPUT_MISSING, message, 'warn'), remediation: commands };
}
