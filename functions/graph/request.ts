import { truncate } from '@cairn/shared/text/quote';
import { archOf, parseCpuArchitecture } from '@cairn/shared/version/arch';
import { chooseMediaType } from '../http/negotiation.ts';
import { Problem } from '../http/problem.ts';
import { JSON_TYPE } from '../http/reply.ts';
import { CINCINNATI_TYPE } from './routes.ts';
import { GRAPH_ARCH, GRAPH_CHANNEL, GRAPH_TRIM } from './schema.ts';

export type GraphMediaType = typeof JSON_TYPE | typeof CINCINNATI_TYPE;
type Query = Readonly<Record<string, string | undefined>>;

/** Clients without a type get the protocol's media type; clients that accept anything get JSON. */
export function graphMediaType(accept: string | undefined): GraphMediaType {
  if (!accept?.trim()) return CINCINNATI_TYPE;
  const type = chooseMediaType(accept, [JSON_TYPE, CINCINNATI_TYPE]);
  if (type === null) throw new Problem('not-acceptable', 'invalid Content-Type requested');
  return type;
}

/** Checks in the order and with the texts of the protocol. */
export function graphQuestion(query: Query) {
  const { channel = '', arch = 'amd64', trim, version = null } = query;
  refuseMissing(query, trim === undefined ? ['channel'] : ['channel', 'version']);
  if (!GRAPH_CHANNEL.test(channel)) throw mismatch('channel', channel, GRAPH_CHANNEL);
  if (!GRAPH_ARCH.test(arch)) throw mismatch('arch', arch, GRAPH_ARCH, archHint(arch));
  if (trim !== undefined && !GRAPH_TRIM.test(trim)) throw mismatch('trim', trim, GRAPH_TRIM);
  // Start version of a trimmed graph, an extension of the protocol; null for the whole graph.
  const reachableFrom = trim === undefined ? null : version;
  return { channel, arch, reachableFrom };
}

export function refuseMissing(query: Query, mandatory: readonly string[]): void {
  const missing = mandatory.filter((name) => query[name] === undefined).toSorted();
  if (missing.length === 0) return;
  throw new Problem('missing-parameter', `mandatory client parameters missing: ${missing.join(', ')}`);
}

function mismatch(parameter: string, value: string, pattern: RegExp, hint = ''): Problem {
  const detail = `${parameter} '${truncate(value)}' does not match regex '${pattern.source}'${hint}`;
  return new Problem('invalid-parameter', `invalid client parameters: ${detail}`);
}

/** Installers use x86_64, the protocol uses Go's amd64. */
function archHint(arch: string): string {
  const known = parseCpuArchitecture(arch.toLowerCase());
  return known ? `, use ${archOf(known)}` : '';
}
