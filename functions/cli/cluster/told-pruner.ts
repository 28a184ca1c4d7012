import { millisecondsOf } from '@cairn/shared/prune/images/pruner/spec';
import { notKnown } from '../failure.ts';
import { accepted, jsonOf } from '../service/refusal.ts';
import type { Service } from '../service/service.ts';
import type { InUsePolicy } from './wanted.ts';
import type { ImagePruner } from '../../pruners/schema.ts';
import type { Output } from '../../runtime/lazy.ts';

/** A pruner that is told what is in use, and what it knows of that. */
export interface ToldPruner extends InUsePolicy {
  readonly name: string;
  /** Of the last report. */
  readonly digest: string | null;
}

/** Whoever answers may be no Cairn. */
type PrunerView = Partial<Output<typeof ImagePruner>>;

export function prunerPath(name: string): string {
  return `/v1/image-pruners/${encodeURIComponent(name)}`;
}

export async function askPruner(service: Service, name: string): Promise<ToldPruner> {
  const answer = accepted(await service.ask({ method: 'GET', path: prunerPath(name) }));
  const { spec, status } = jsonOf(answer) as PrunerView;
  const keepYoungerThanMs = millisecondsOf(spec?.keepYoungerThan ?? '');
  if (keepYoungerThanMs === null) throw notKnown(`${name} does not tell its keepYoungerThan`);
  return {
    name,
    digest: status?.inUse?.digest ?? null,
    keepYoungerThanMs,
    isManaged: spec?.managementState === 'Managed',
  };
}
