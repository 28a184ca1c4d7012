import { type CfnApi, CfnApiMapping, CfnDomainName, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { SignIn } from '../../functions/site/schema.ts';
import { scopesOf } from './http-api.ts';
import type { AccessSettings, DomainSettings } from './settings/settings.ts';

export function consoleSignIn({ jwt }: AccessSettings): SignIn {
  if (!jwt) return { kind: 'iam' };
  const { issuer, signIn } = jwt;
  if (!signIn) return { kind: 'token' };
  return { kind: 'oidc', issuer, ...signIn, scopes: askedScopes(signIn.scopes) };
}

/**
 * Requests `openid`, the scopes in the settings, and all route scopes; the issuer grants each person a subset. If the
 * settings name route scopes, only those are requested: an issuer can require a prefix, and a team can want read-only
 * access.
 */
function askedScopes(scopes: readonly string[]): string[] {
  const namesOwn = scopes.some((scope) => scope.includes('fleet:'));
  return [...new Set(['openid', ...scopes, ...(namesOwn ? [] : scopesOf('read'))])];
}

export function consoleHint(url: string, { jwt }: AccessSettings, cloudFrontUrl?: string): string {
  if (!jwt) {
    return `A browser cannot sign AWS requests. Run: npm run console -- --url ${url} (or set access.jwt.signIn)`;
  }
  const places = [url, ...(cloudFrontUrl === undefined ? [] : [cloudFrontUrl])];
  const redirects = places.map((place) => `${place}/signed-in`);
  return jwt.signIn
    ? `Let the issuer redirect to ${redirects.join(' and ')} and answer pages of ${places.join(' and ')}; then open ${url}`
    : `Open ${url} and paste a token of the issuer under "Sign in"`;
}

interface ApiDomainProps {
  readonly api: HttpApi;
  readonly domain: DomainSettings;
}

/** Custom domain of the API. Disables the default endpoint, so that there is a single entry. */
export class ApiDomain extends Construct {
  readonly url: string;
  /** Target of the DNS record; undefined if the record is created here. */
  readonly target: string | undefined;

  constructor(scope: Construct, id: string, { api, domain }: ApiDomainProps) {
    super(scope, id);
    const { name, certificateArn, hostedZoneId } = domain;
    const domainName = new CfnDomainName(this, 'Name', {
      domainName: name,
      domainNameConfigurations: [
        { certificateArn, endpointType: 'REGIONAL', ipAddressType: 'dualstack', securityPolicy: 'TLS_1_2' },
      ],
    });
    const mapping = new CfnApiMapping(this, 'Mapping', {
      apiId: api.apiId,
      domainName: domainName.ref,
      stage: '$default',
    });
    // The stage must exist first; CloudFormation cannot derive that from its name.
    mapping.node.addDependency(api.node.findChild('Stage'));
    (api.node.defaultChild as CfnApi).disableExecuteApiEndpoint = true;

    this.url = `https://${name}`;
    this.target = hostedZoneId === undefined ? domainName.attrRegionalDomainName : undefined;
    if (hostedZoneId === undefined) return;
    for (const type of ['A', 'AAAA']) {
      new CfnRecordSet(this, `Record${type}`, {
        name,
        type,
        hostedZoneId,
        aliasTarget: {
          dnsName: domainName.attrRegionalDomainName,
          hostedZoneId: domainName.attrRegionalHostedZoneId,
        },
      });
    }
  }
}
