import { CfnResource, TagManager } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import type { DeploySettings, DomainSettings } from '../../../../../infra/aws/settings/settings.ts';
import { createStackWithoutBundles, synthesize } from '../../../../helpers/template/synthesize.ts';
import { templateOf, textsIn } from '../../../../helpers/template/template.ts';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012';
const BOUNDARY = 'arn:aws:iam::123456789012:policy/boundary';
const TAGS = { team: 'platform', 'cost:centre': '42' };
const EVERYTHING: Partial<DeploySettings> = {
  access: {
    publicReleaseData: 'graph',
    jwt: {
      issuer: 'https://login.example.com',
      audience: ['cairn'],
      signIn: { clientId: 'console', scopes: ['openid'] },
    },
  },
  alarms: { email: ['ops@example.com'] },
  news: { email: ['ops@example.com'], windowHours: 24, digestAbove: 10 },
  cloudFront: true,
  permissionsBoundary: BOUNDARY,
  tags: TAGS,
  registryBuckets: [
    { bucket: 'registry', prefix: '' },
    { bucket: 'far-away', prefix: '', roleArn: 'arn:aws:iam::210987654321:role/registry' },
  ],
};

const template = await templateOf(EVERYTHING);

describe('stages in one account', () => {
  /** Properties by which AWS knows a thing, of the types that this stack may have. */
  const NAMES =
    /^(Name|(Alarm|Bucket|Dashboard|Function|Group|LogGroup|ManagedPolicy|Queue|Role|Table|Topic)Name)$/;
  /** Their names hold within their API only. */
  const OF_AN_API = new Set(['AWS::ApiGatewayV2::Authorizer']);

  async function namesIn(stage: string | null): Promise<readonly string[]> {
    const { resources, stackName } = await templateOf({ ...EVERYTHING, stage });
    return Object.values(resources)
      .filter(({ Type }) => !OF_AN_API.has(Type))
      .flatMap(({ Type, Properties = {} }) =>
        Object.entries(Properties)
          .filter(([key, value]) => NAMES.test(key) && !isOfAnother(value, resources))
          .map(([, value]) => `${Type} ${textsIn(value).join('').replaceAll('AWS::StackName', stackName)}`),
      );
  }

  /** Whether it is the name that AWS gave to another resource. */
  function isOfAnother(value: unknown, resources: object): boolean {
    const [id] = textsIn(value);
    return typeof value === 'object' && id !== undefined && Object.hasOwn(resources, id);
  }

  it('have their own stacks', async () => {
    expect((await templateOf()).stackName).toBe('Cairn');
    expect((await templateOf({ stage: 'test' })).stackName).toBe('Cairn-test');
  });

  it('share not one name of a resource', async () => {
    const only = await namesIn(null);
    const staged = new Set(await namesIn('test'));
    expect(only.length).toBeGreaterThan(15);
    expect(only.filter((name) => staged.has(name))).toEqual([]);
  });

  it('have schedules that wait for their group, which they know by its name only', () => {
    const schedules = template.ofType('AWS::Scheduler::Schedule');
    expect(schedules.length).toBeGreaterThan(1);
    for (const { id } of schedules) {
      expect(template.resources[id]).toMatchObject({ DependsOn: [template.idOf('Sync/Group')] });
    }
  });

  it('are what they are called at the time of the deployment, not of the synthesis', () => {
    expect(textsIn(template.resources).filter((text) => text.startsWith('Cairn-'))).toEqual([]);
  });
});

describe('an account with rules', () => {
  it('has its boundary on every role', () => {
    const roles = template.ofType('AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(7);
    for (const { id, properties } of roles)
      expect([id, properties.PermissionsBoundary]).toEqual([id, BOUNDARY]);
  });

  it('has its tags on everything that can have any', () => {
    const stack = createStackWithoutBundles(EVERYTHING);
    // Tags are set while a stack is synthesized.
    synthesize(stack);
    const taggable = stack.node
      .findAll()
      .filter((construct) => CfnResource.isCfnResource(construct))
      .flatMap((resource) => TagManager.of(resource) ?? []);
    expect(taggable.length).toBeGreaterThan(30);
    for (const tags of taggable) expect(tags.tagValues()).toMatchObject(TAGS);
    expect(template.resource('Table').Properties.Tags).toEqual(
      expect.arrayContaining([{ Key: 'team', Value: 'platform' }]),
    );
  });

  it('is not asked for either by default', async () => {
    const { ofType, resource } = await templateOf();
    for (const { properties } of ofType('AWS::IAM::Role')) {
      expect(properties).not.toHaveProperty('PermissionsBoundary');
    }
    expect(resource('Table').Properties).not.toHaveProperty('Tags');
  });

  it('leaves cdk-nag nothing to say', () => {
    expect(template.violations).toEqual([]);
  });
});

describe('a domain', async () => {
  const domain: DomainSettings = { name: 'cairn.example.com', certificateArn: CERTIFICATE };
  const withZone = await templateOf({ domain: { ...domain, hostedZoneId: 'Z0123' } });
  const withoutZone = await templateOf({ domain });
  const regional = (attribute: string) => ({ 'Fn::GetAtt': [withZone.idOf('Domain/Name'), attribute] });

  it('is a name of the API, with its certificate and no TLS below 1.2', () => {
    expect(withZone.resource('Domain/Name').Properties).toEqual({
      DomainName: 'cairn.example.com',
      DomainNameConfigurations: [
        {
          CertificateArn: CERTIFICATE,
          EndpointType: 'REGIONAL',
          IpAddressType: 'dualstack',
          SecurityPolicy: 'TLS_1_2',
        },
      ],
    });
    expect(withZone.resource('Domain/Mapping')).toMatchObject({
      Properties: {
        ApiId: { Ref: withZone.idOf('Http/Api') },
        DomainName: { Ref: withZone.idOf('Domain/Name') },
        Stage: '$default',
      },
      DependsOn: expect.arrayContaining([withZone.idOf('Http/Api/Stage')]),
    });
  });

  it('is the only way in', () => {
    expect(withZone.resource('Http/Api').Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(template.resource('Http/Api').Properties).not.toHaveProperty('DisableExecuteApiEndpoint');
    expect(withZone.output('ApiUrl')).toBe('https://cairn.example.com');
    expect(textsIn(withZone.output('TryIt')).join('')).toContain('https://cairn.example.com/v2/');
  });

  it.each(['A', 'AAAA'])('has a record %s in its zone', (type) => {
    expect(withZone.resource(`Domain/Record${type}`).Properties).toEqual({
      Name: 'cairn.example.com',
      Type: type,
      HostedZoneId: 'Z0123',
      AliasTarget: {
        DNSName: regional('RegionalDomainName'),
        HostedZoneId: regional('RegionalHostedZoneId'),
      },
    });
  });

  it('without a zone, says what its record has to point to', () => {
    expect(withoutZone.ofType('AWS::Route53::RecordSet')).toEqual([]);
    expect(withoutZone.output('DomainTarget')).toEqual(regional('RegionalDomainName'));
    expect(withZone.outputs).not.toHaveProperty('DomainTarget');
  });
});

describe('outputs', () => {
  it('are parameters of SSM as well, each with the same value', () => {
    const parameters = template
      .ofType('AWS::SSM::Parameter')
      .map(({ properties }) => [textsIn(properties.Name).join(''), properties.Value, properties.Type]);
    const expected = Object.entries(template.outputs).map(([name, { Value }]) => [
      `/AWS::StackName/${name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase()}`,
      Value,
      'String',
    ]);
    expect(parameters).toEqual(expected);
    expect(parameters.map(([name]) => name)).toEqual(
      expect.arrayContaining(['/AWS::StackName/api-url', '/AWS::StackName/pruner-role-arn']),
    );
  });
});
