import { Aws, CfnCondition, Fn } from 'aws-cdk-lib';
import type { OriginBindConfig, OriginBindOptions } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, type HttpOriginProps } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';

/** Regions where CloudFront has a cache that can shield an origin. */
export const SHIELD_REGIONS = [
  ...['us-east-1', 'us-east-2', 'us-west-2', 'sa-east-1'],
  ...['eu-central-1', 'eu-west-1', 'eu-west-2'],
  ...['ap-south-1', 'ap-northeast-1', 'ap-northeast-2', 'ap-southeast-1', 'ap-southeast-2'],
];

/**
 * An origin that only one cache of CloudFront asks, and all others ask that one. It is in the region of the stack, which
 * only the deployment knows; where CloudFront has none there, and no other is given, every regional cache asks by itself.
 */
export class ShieldedOrigin extends HttpOrigin {
  readonly #region: string | null;

  constructor(domainName: string, region: string | null, props: HttpOriginProps) {
    super(domainName, { ...props, ...(region !== null && { originShieldRegion: region }) });
    this.#region = region;
  }

  override bind(scope: Construct, options: OriginBindOptions): OriginBindConfig {
    const bound = super.bind(scope, options);
    if (this.#region !== null || !bound.originProperty) return bound;
    const isOffered = new CfnCondition(scope, 'HasShield', {
      expression: Fn.conditionOr(...SHIELD_REGIONS.map((region) => Fn.conditionEquals(Aws.REGION, region))),
    });
    const originShield = Fn.conditionIf(
      isOffered.logicalId,
      { Enabled: true, OriginShieldRegion: Aws.REGION },
      { Enabled: false },
    );
    return { ...bound, originProperty: { ...bound.originProperty, originShield } };
  }
}
