import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Severity } from './alarm-definition.ts';

/**
 * Where alarms go: `page` those that wake somebody up, `ticket` the others. Only alarms of this stack may publish. What is
 * sent are names of alarms and numbers, so it is not encrypted at rest: with the key of AWS CloudWatch could not publish,
 * and one of our own would be paid for nothing that is secret.
 */
export class AlarmTopics extends Construct {
  readonly page: Topic;
  readonly ticket: Topic;

  constructor(scope: Construct, id: string, emails: readonly string[]) {
    super(scope, id);
    this.page = this.#topic('Page', `${Aws.STACK_NAME}: act now`, emails);
    this.ticket = this.#topic('Ticket', `${Aws.STACK_NAME}: have a look`, emails);
  }

  actionFor(severity: Severity): SnsAction {
    return new SnsAction(severity === 'high' ? this.page : this.ticket);
  }

  #topic(id: string, displayName: string, emails: readonly string[]): Topic {
    const topic = new Topic(this, id, { displayName, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: `${Aws.STACK_NAME}-*`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    for (const address of emails) topic.addSubscription(new EmailSubscription(address));
    return topic;
  }
}
