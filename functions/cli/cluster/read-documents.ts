import { gzipSync } from 'node:zlib';
import type { Mistake } from '@cairn/shared/input/input-value';
import type { ParsedArgs } from '../../command-line/parse.ts';
import { MAX_BODY_BYTES, MAX_INFLATED_BYTES } from '../../http/body.ts';
import { badInput } from '../../runtime/exit.ts';
import type { Host } from '../host.ts';
import { accepted, type Question, type Service, type ServiceAnswer } from '../service/service.ts';
import { type Collected, type OcQuery, openSource, readFromOc } from './oc.ts';
import type { ClusterQuery } from './queries.ts';

const NEWLINE = Buffer.from('\n');

/** `document 0 /metadata/name: expected the name of the object` */
export function mistakeInWords({ document, pointer, detail }: Mistake): string {
  return `document ${document}${pointer === '' ? '' : ` ${pointer}`}: ${detail}`;
}

/** Reads concatenated output of `oc get … -o json`. The requested kinds are known only with `oc`. */
export async function readDocuments(
  args: ParsedArgs,
  host: Host,
  queries: readonly OcQuery[],
): Promise<Collected> {
  if (!args.isSet('oc')) return { documents: await readFiles(args, host), resources: [] };
  if (args.arguments.length > 0) throw badInput('files and --oc are both given, one of them is accepted');
  return readFromOc(queries, args, host);
}

export async function readClusterDocuments(
  args: ParsedArgs,
  host: Host,
  queries: readonly ClusterQuery[],
): Promise<Uint8Array> {
  const source = await openSource(args, host);
  if (source === null) return readFiles(args, host);
  const read: { readonly query: ClusterQuery; readonly pages: readonly Uint8Array[] | null }[] = [];
  for (const query of queries) read.push({ query, pages: await source.read(query, allOf) });
  const missed = new Set(
    read.flatMap(({ query, pages }) => (pages === null && !query.counted ? (query.facts ?? []) : [])),
  );
  // MachineHealthChecks alone must not count as all health checks.
  const isWhole = ({ facts = [] }: ClusterQuery) => !facts.some((fact) => missed.has(fact));
  return joined(read.flatMap(({ query, pages }) => (isWhole(query) ? (pages ?? []) : [])));
}

export async function readFiles(args: ParsedArgs, host: Host): Promise<Uint8Array> {
  const files = args.arguments;
  if (files.length === 0 && host.input.isTerminal) {
    throw badInput(
      'no documents: name files that "oc get … -o json" wrote, pipe what it prints, or have it called with --oc',
    );
  }
  const parts: Uint8Array[] = [];
  for (const name of files.length === 0 ? ['-'] : files) parts.push(await readOne(name, host));
  return joined(parts);
}

async function allOf(pages: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

function joined(documents: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(documents.flatMap((document) => [document, NEWLINE]));
}

async function readOne(name: string, host: Host): Promise<Uint8Array> {
  if (name === '-') return host.input.read();
  const { bytes } = await host.readFile(name).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw badInput(`${name} can't be read: ${why}`);
  });
  return bytes;
}

/** Compresses the documents into the request, or uploads them first if they are too large. */
export async function sendDocuments(
  service: Service,
  documents: Uint8Array,
  question: Omit<Question, 'body'>,
  /** Error statuses that the caller handles. */
  expected: readonly number[] = [],
): Promise<ServiceAnswer> {
  const take = (answer: ServiceAnswer) => (expected.includes(answer.status) ? answer : accepted(answer));
  const body = gzipSync(documents);
  const isSmall = body.length <= MAX_BODY_BYTES && documents.length <= MAX_INFLATED_BYTES;
  if (isSmall) {
    const headers = { ...question.headers, 'content-type': 'application/gzip' };
    return take(await service.ask({ ...question, headers, body }));
  }
  const upload = await service.upload(body);
  return take(await service.ask({ ...question, body: Buffer.from(JSON.stringify({ upload })) }));
}
