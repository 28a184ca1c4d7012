import { Aws } from 'aws-cdk-lib';
import { type EventBus, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { EVENT_SOURCE } from '../../functions/runtime/names.ts';

interface NewsProps {
  readonly bus: EventBus;
  readonly email: readonly string[];
}

/**
 * Forwards messages from the event bus to a topic that no one else can publish to. Not encrypted at rest: EventBridge
 * cannot publish with the AWS managed key, and names of clusters and versions are not secret here.
 */
export class News extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { bus, email }: NewsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: `${Aws.STACK_NAME}: news`, enforceSSL: true });
    for (const address of email) this.topic.addSubscription(new EmailSubscription(address));
    const rule = new Rule(this, 'Messages', {
      description: 'Messages for people',
      eventBus: bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: ['Message'] },
    });
    rule.addTarget({
      // The CDK target would let every rule of the account publish.
      bind: () => ({
        arn: this.topic.topicArn,
        input: RuleTargetInput.fromText(EventField.fromPath('$.detail.text')),
      }),
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
      }),
    );
  }
}
