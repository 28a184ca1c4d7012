import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../../functions/cli/host.ts';
import type { AccessSettings } from '../../../infra/aws/settings/settings.ts';
import { runCli } from '../../helpers/cli/cli.ts';
import { clusterVersion } from '../../helpers/cluster/objects.ts';
import { rolesOf, type Identities } from '../../helpers/gateway/callers.ts';
import { readDeployedApi } from '../../helpers/gateway/deployed-api.ts';
import { createGateway, type Gateway, GATEWAY_HOST } from '../../helpers/gateway/gateway.ts';
import { startIssuer, type TestIssuer } from '../../helpers/gateway/issuer.ts';
import type { AwsCaller } from '../../helpers/gateway/signed-request.ts';
import { type Deployment, startDeployment } from '../../helpers/lambda/deployment.ts';
import { templateOf } from '../../helpers/template/template.ts';
import { drawnConfig, drawnSource, type DrawnUpstream } from '../../helpers/upstream/drawn-upstream.ts';

const UPSTREAM: DrawnUpstream = { amd64: { 'stable-4.14': ['4.14.8 > 4.14.30'] } };
const URL_FLAG = ['--url', `https://${GATEWAY_HOST}`] as const;
const REPORT = { 'cluster.json': JSON.stringify(clusterVersion) };
const jwt = { issuer: 'https://login.example.com/realm', audience: ['cairn'] };

interface Opened {
  readonly gateway: Gateway;
  readonly roles: Identities['roles'];
}

let deployment: Deployment;
let issuer: TestIssuer;
let signed: Opened;
let byToken: Opened;
beforeAll(async () => {
  [deployment, issuer] = await Promise.all([
    startDeployment({ releases: drawnConfig(UPSTREAM), source: drawnSource(UPSTREAM) }),
    startIssuer(jwt.issuer),
  ]);
  await deployment.sync.invoke({ scheduledTime: new Date().toISOString(), trigger: 'manual' });
  signed = await open({ publicReleaseData: 'none' });
  byToken = await open({ publicReleaseData: 'none', jwt });
});
afterAll(() => Promise.all([deployment.close(), issuer.close()]));
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The API as the template of these settings has it. */
async function open(access: AccessSettings): Promise<Opened> {
  const api = readDeployedApi(await templateOf({ access }));
  const roles = rolesOf(api);
  const callers = Object.values(roles);
  const gateway = createGateway({ api, lambdas: deployment, callers, reachIssuer: issuer.reach });
  return { gateway, roles };
}

/** What the command sends goes to the gateway as it is. */
function through(gateway: Gateway): Host['fetch'] {
  return async (input, init) => {
    const url = new URL(input);
    const headers = { host: url.host, ...Object.fromEntries(new Headers(init.headers)) };
    const body =
      init.body === undefined || init.body === null ? undefined : Buffer.from(init.body as Uint8Array);
    const answer = await gateway.handle({
      method: init.method ?? 'GET',
      target: `${url.pathname}${url.search}`,
      headers,
      ...(body && { body }),
    });
    const { status } = answer;
    return new Response(status === 204 ? null : new Uint8Array(answer.body), {
      status,
      headers: answer.headers,
    });
  };
}

/** The credentials that the AWS tools would find. */
function actAs(caller: AwsCaller): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', caller.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', caller.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', caller.sessionToken);
}

describe('the command against a deployment that asks for signatures', () => {
  it('signs with the credentials of the machine', async () => {
    const { gateway, roles } = signed;
    actAs(roles.read);
    const fetch = through(gateway);
    const paths = await runCli(['paths', '4.14.8', '4.14.30', ...URL_FLAG], { fetch });
    expect([paths.code, paths.err]).toEqual([0, '']);
    expect(paths.out).toContain('4.14.30');
  });

  it('does what its role allows, and reports what it does not', async () => {
    const { gateway, roles } = signed;
    const fetch = through(gateway);
    const report = ['report', 'cluster.json', '--cluster', 'signed-1', ...URL_FLAG];
    actAs(roles.write);
    expect(await runCli(report, { fetch, files: REPORT })).toMatchObject({ code: 0 });
    actAs(roles.read);
    const refused = await runCli(report, { fetch, files: REPORT });
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('AWS credentials that may call this service');
    actAs({ ...roles.write, secretAccessKey: 'of somebody else' });
    expect((await runCli(report, { fetch, files: REPORT })).err).toContain('Forbidden');
  });
});

describe('the command against a deployment that asks for tokens', () => {
  it('shows the token that it is given', async () => {
    const { gateway } = byToken;
    const fetch = through(gateway);
    const token = await issuer.token({ scope: 'fleet:read' });
    const argv = ['paths', '4.14.8', '4.14.30', ...URL_FLAG];
    expect(await runCli([...argv, '--token', token], { fetch })).toMatchObject({ code: 0 });
    const wrong = await runCli([...argv, '--token', `${token}x`], { fetch });
    expect(wrong.err).toContain('Unauthorized');
  });
});
