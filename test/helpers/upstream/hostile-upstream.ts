import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIP } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { CincinnatiOptions } from '../../../functions/outbound/cincinnati.ts';
import { listen, type Listening } from '../listen.ts';
import { type Authority, createAuthority, createSelfSigned } from './certificates.ts';
import { answer, baselineGraph, type HostileCase, type TlsFault } from './hostile-case.ts';
import { hostileGraphCases } from './hostile-graph-cases.ts';
import { hostileTransportCases } from './hostile-transport-cases.ts';

/** The 35 hostile bodies of `reliability.md` 6.2, one case per variant, in order. */
export const hostileCases: readonly HostileCase[] = [...hostileGraphCases, ...hostileTransportCases].toSorted(
  (a, b) => a.id - b.id,
);

export interface HostileUpstream {
  /** Base URL of a case, or of `baseline`, the good state before all of them. */
  url(caseName: string): string;
  /** Client options for a case: URL, policy, authority, resolver. */
  options(caseName: string): Pick<CincinnatiOptions, 'url' | 'policy' | 'ca' | 'resolve'>;
  visits(caseName: string): number;
  /** Requests that followed a redirect. */
  trapped(): number;
  close(): Promise<void>;
}

const BASELINE: HostileCase = {
  id: 0,
  name: 'baseline',
  expect: 'accepted',
  respond: answer(JSON.stringify(baselineGraph())),
};

export async function startHostileUpstream(): Promise<HostileUpstream> {
  const cases = new Map([BASELINE, ...hostileCases].map((hostile) => [hostile.name, hostile]));
  const visits = new Map<string, number>();
  let trapped = 0;

  const listener: RequestListener = (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const hostile = cases.get(path.slice(1));
    if (hostile === undefined) {
      trapped++;
      response.writeHead(404).end();
      return;
    }
    const visit = (visits.get(hostile.name) ?? 0) + 1;
    visits.set(hostile.name, visit);
    hostile.respond(request, response, visit);
  };

  const authority = createAuthority('cairn test authority');
  const plain = await listen(createServer(listener));
  const faults = [...new Set(hostileCases.flatMap(({ tls }) => tls ?? []))];
  const secure = new Map<TlsFault, Listening>();
  for (const fault of faults) {
    secure.set(fault, await listen(createTlsServer(tlsOptions(fault, authority), listener)));
  }

  function find(caseName: string): HostileCase {
    const hostile = cases.get(caseName);
    if (hostile === undefined) throw new Error(`no hostile case is named ${caseName}`);
    return hostile;
  }

  function url(caseName: string): string {
    const { name, tls, addresses, code } = find(caseName);
    if (tls !== undefined) return `https://localhost:${secure.get(tls)!.port}/${name}`;
    if (code === 'EgressDenied') return `https://graph.example.com/${name}`;
    const host = addresses === undefined ? '127.0.0.1' : 'graph.localhost';
    return `http://${host}:${plain.port}/${name}`;
  }

  return {
    url,
    options(caseName) {
      const { addresses = () => ['127.0.0.1'] } = find(caseName);
      let lookups = 0;
      return {
        url: url(caseName),
        policy: { allowLoopbackHttp: true },
        ca: authority.certificate,
        resolve: () => {
          const found = addresses(++lookups);
          return Promise.resolve(found.map((address) => ({ address, family: isIP(address) })));
        },
      };
    },
    visits: (caseName) => visits.get(caseName) ?? 0,
    trapped: () => trapped,
    close: async () => {
      await Promise.all([plain, ...secure.values()].map(({ close }) => close()));
    },
  };
}

function tlsOptions(fault: TlsFault, authority: Authority): TlsOptions {
  const good = { host: 'localhost' };
  // OpenSSL 3 supports the old protocols only at its lowest security level.
  const old = { ...pair(authority.issue(good)), ciphers: 'DEFAULT:@SECLEVEL=0' };
  const options: Readonly<Record<TlsFault, TlsOptions>> = {
    expired: pair(authority.issue({ ...good, validDays: [-3, -2] })),
    'wrong-host': pair(authority.issue({ host: 'other.example.com' })),
    'self-signed': pair(createSelfSigned(good)),
    'unknown-authority': pair(createAuthority('somebody else').issue(good)),
    'tls-1.0': { ...old, minVersion: 'TLSv1', maxVersion: 'TLSv1' },
    'tls-1.1': { ...old, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' },
  };
  return options[fault];
}

function pair({ certificate, key }: { certificate: string; key: string }): TlsOptions {
  return { cert: certificate, key };
}
