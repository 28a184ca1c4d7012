import { messageLine } from '@cairn/shared/notifications/message';
import { describe, expect, it } from 'vitest';
import { EVENT_DETAILS } from '../../../../functions/runtime/event-schemas.ts';
import { EVENT_SOURCE } from '../../../../functions/runtime/names.ts';
import { templateOf } from '../../../helpers/template/template.ts';

const email = ['fleet@example.com', 'night@example.com'];
const { ofType, idOf, resource, arnOf, output } = await templateOf({
  alarms: { email: ['ops@example.com'] },
  news: { email, windowHours: 24, digestAbove: 10 },
});
const without = await templateOf({ alarms: { email: ['ops@example.com'] } });

const TOPIC = { Ref: idOf('News/Topic') };

describe('the rule', () => {
  const [rule, ...others] = ofType('AWS::Events::Rule').map(({ properties }) => properties);
  const [target, ...otherTargets] = rule.Targets;

  it('is the only one, on the bus of the stack', () => {
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ EventBusName: { Ref: idOf('Events') }, State: 'ENABLED' });
  });

  it('carries messages for people and no other events', () => {
    expect(rule.EventPattern).toEqual({ source: [EVENT_SOURCE], 'detail-type': ['Message'] });
    expect(EVENT_DETAILS()).toHaveProperty('Message');
  });

  it('gives the topic the text of a message, and nothing else of it', () => {
    expect(otherTargets).toEqual([]);
    expect(target).toEqual({
      Arn: TOPIC,
      Id: expect.any(String) as string,
      InputTransformer: {
        InputPathsMap: { 'detail-text': '$.detail.text' },
        InputTemplate: '"<detail-text>"',
      },
    });
    expect(EVENT_DETAILS().Message.shape).toHaveProperty('text');
  });

  it('makes JSON of it, though EventBridge escapes nothing', () => {
    const text = messageLine({ id: 'a', at: '', title: 'a "b"\\', lines: ['c'], count: 2 });
    const sent = target.InputTransformer.InputTemplate.replace('<detail-text>', () => text) as string;
    expect(JSON.parse(sent)).toBe("a 'b'/. c");
  });
});

describe('the topic', () => {
  it('takes what that rule publishes, over TLS, and nothing else', () => {
    const { PolicyDocument, Topics } = resource('News/Topic/Policy').Properties;
    expect(Topics).toEqual([TOPIC]);
    expect(PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: TOPIC,
        Condition: { ArnEquals: { 'aws:SourceArn': arnOf('News/Messages') } },
      },
    ]);
    expect(PolicyDocument.Statement).toHaveLength(2);
    // With the key of AWS for topics, EventBridge could not publish.
    expect(resource('News/Topic').Properties.KmsMasterKeyId).toBeUndefined();
  });

  it('sends mails to the addresses for notifications, not to those for alarms, and to none by default', () => {
    const mailsOf = (all: ReturnType<typeof ofType>, topic: { Ref: string }) =>
      all
        .filter(({ properties }) => properties.TopicArn.Ref === topic.Ref)
        .map(({ properties: { Protocol, Endpoint } }) => `${Protocol} ${Endpoint}`);
    const subscriptions = ofType('AWS::SNS::Subscription');
    expect(mailsOf(subscriptions, TOPIC)).toEqual(email.map((address) => `email ${address}`));
    expect(subscriptions).toHaveLength(email.length + 2);
    const unasked = without.ofType('AWS::SNS::Subscription');
    expect(mailsOf(unasked, { Ref: without.idOf('News/Topic') })).toEqual([]);
    expect(unasked).toHaveLength(2);
  });

  it('is an output, for subscriptions other than mail', () => {
    expect(output('NewsTopicArn')).toEqual(TOPIC);
  });
});
