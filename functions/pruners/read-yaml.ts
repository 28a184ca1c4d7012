import { singleLine } from '@cairn/shared/text/quote';
import { parseAllDocuments } from 'yaml';
import { Problem } from '../http/problem.ts';
import { MOST_FAULTS } from '../http/request.ts';

/** Accepts one document. `most` limits its JSON length, because aliases can expand a small text. */
export function readYaml(text: string, most: number): unknown {
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  const faults = documents.flatMap(({ errors }) => errors.map(({ message }) => message));
  if (faults.length > 0) throw notYaml(faults);
  let values: unknown[];
  try {
    values = documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
  } catch (error) {
    throw notYaml([(error as Error).message]);
  }
  if (values.length > 1) throw notYaml([`it holds ${values.length} documents, one is accepted`]);
  const [value = null] = values;
  const { length } = jsonOf(value);
  if (length > most) {
    throw new Problem('body-too-large', `with its aliases the body comes to ${length} characters of JSON`);
  }
  return value;
}

/** JSON.stringify throws for an alias inside its own anchor. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw notYaml([error instanceof RangeError ? error.message : 'an alias stands for what it is in']);
  }
}

/** Keeps the first line of each message: the others show an extract of the text. */
function notYaml(messages: readonly string[]): Problem {
  // The parser reports its own stack overflow as an error.
  const isTooDeep = messages.some((message) => /stack size|stack overflow/i.test(message));
  const faults = isTooDeep
    ? ['it is nested too deeply']
    : messages.slice(0, MOST_FAULTS).map((message) => singleLine(message.split('\n')[0]!).replace(/:$/, ''));
  return new Problem('invalid-body', `the body is not YAML: ${faults.join('; ')}`);
}
