import { badInput } from '../failure.ts';
import type { Given } from '../given.ts';
import type { Machine } from '../machine.ts';
import { type Collected, type OcQuery, readFromOc } from './oc.ts';

/**
 * Documents as `oc get … -o json` prints them, one after the other: of the files that were named, of standard input, or by
 * calling `oc`. Of what they are is known only of the last.
 */
export async function readDocuments(
  given: Given,
  machine: Machine,
  queries: readonly OcQuery[],
): Promise<Collected> {
  const files = given.arguments;
  if (given.isSet('oc')) {
    if (files.length > 0) throw badInput('files and --oc are both given, one of them is accepted');
    return readFromOc(queries, given, machine);
  }
  if (files.length === 0 && machine.input.isTerminal) {
    throw badInput(
      'no documents: name files that "oc get … -o json" wrote, pipe what it prints, or have it called with --oc',
    );
  }
  const parts: Uint8Array[] = [];
  for (const name of files.length === 0 ? ['-'] : files) parts.push(await readOne(name, machine), NEWLINE);
  return { documents: Buffer.concat(parts), resources: [] };
}

const NEWLINE = Buffer.from('\n');

async function readOne(name: string, machine: Machine): Promise<Uint8Array> {
  if (name === '-') return machine.input.read();
  const { bytes } = await machine.readFile(name).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw badInput(`${name} can't be read: ${why}`);
  });
  return bytes;
}
