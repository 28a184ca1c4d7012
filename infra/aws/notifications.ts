import { Aws } from 'aws-cdk-lib';
import { type EventBus, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { EVENT_SOURCE } from '../../functions/runtime/names.ts';

interface NewsProps {
  readonly bus: EventBus;
  /** Who gets every message as a mail. */
  readonly email: readonly string[];
}

/**
 * Carries the messages for people from the event bus to a topic, on which nobody else may publish. It is not encrypted at
 * rest, as EventBridge could not publish with the key of AWS either: names of clusters and versions are no secret here.
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
      // The target of CDK would let every rule of the account publish.
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
