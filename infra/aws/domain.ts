import { type CfnApi, CfnApiMapping, CfnDomainName, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { DomainSettings } from './settings/settings.ts';

export interface ApiDomainProps {
  readonly api: HttpApi;
  readonly domain: DomainSettings;
}

/** A name of the team's own for the API. The name that AWS gave it is switched off, so that there is one way in. */
export class ApiDomain extends Construct {
  readonly url: string;
  /** What the record of the name has to point to; undefined where that record is made here. */
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
    // The stage has to be there first, and CloudFormation can't see that in its name.
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
