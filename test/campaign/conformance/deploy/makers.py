"""Makes resources through moto's APIs that moto's CloudFormation does not know.

A maker gets the logical name, the properties as the template has them, resolved, and what it gave when the resource was
made before; it gives what a Ref and each GetAtt stand for. Where the stack refers to something that needs the stack
first, `predict` says beforehand what that will be.
"""

import json
import os
import uuid

import boto3

ACCOUNT = '123456789012'
REGION = 'us-east-1'
ENDPOINT = os.environ['CAIRN_MOTO_URL']


def client(service):
    return boto3.client(
        service,
        endpoint_url=ENDPOINT,
        region_name=REGION,
        aws_access_key_id='moto',
        aws_secret_access_key='moto-secret',
    )


MAKERS = {}


def makes(kind, predict=None):
    def register(maker):
        maker.predict = predict
        MAKERS[kind] = maker
        return maker

    return register


def gateway(kind, identifier, is_updatable=True):
    """Resources of API Gateway: the API has the names of CloudFormation."""
    service = client('apigatewayv2')

    def maker(name, properties, former):
        if former and is_updatable:
            update = f'update_{kind}'
            operation = service.meta.service_model.operation_model(service.meta.method_to_api_mapping[update])
            changed = {key: it for key, it in properties.items() if key in operation.input_shape.members}
            answer = getattr(service, update)(**{**changed, identifier: former['Ref']})
        elif former:
            return former
        else:
            answer = getattr(service, f'create_{kind}')(**properties)
        return {'Ref': answer[identifier], **{key: it for key, it in answer.items() if isinstance(it, str)}}

    return maker


makes('AWS::ApiGatewayV2::Api')(gateway('api', 'ApiId'))
makes('AWS::ApiGatewayV2::Authorizer')(gateway('authorizer', 'AuthorizerId'))
makes('AWS::ApiGatewayV2::Integration')(gateway('integration', 'IntegrationId'))
makes('AWS::ApiGatewayV2::Route')(gateway('route', 'RouteId'))
# moto can't change a stage: what it was made with stays.
makes('AWS::ApiGatewayV2::Stage')(gateway('stage', 'StageName', is_updatable=False))
makes('AWS::ApiGatewayV2::ApiMapping')(gateway('api_mapping', 'ApiMappingId', is_updatable=False))


@makes('AWS::ApiGatewayV2::DomainName')
def domain_name(name, properties, former):
    answer = former or client('apigatewayv2').create_domain_name(**properties)
    # moto names neither; Route 53 needs both.
    return {
        'Ref': properties['DomainName'],
        'RegionalDomainName': f'd-{name.lower()}.execute-api.{REGION}.amazonaws.com',
        'RegionalHostedZoneId': 'Z1UJRXOUMOOFQ8',
        **{key: value for key, value in answer.items() if isinstance(value, str) and key == 'DomainNameArn'},
    }


def alarm_values(properties):
    name = properties['AlarmName']
    return {'Ref': name, 'Arn': f'arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:{name}'}


@makes('AWS::CloudWatch::Alarm', predict=alarm_values)
def alarm(name, properties, former):
    client('cloudwatch').put_metric_alarm(**properties)
    return alarm_values(properties)


@makes('AWS::Lambda::EventInvokeConfig')
def event_invoke_config(name, properties, former):
    client('lambda').put_function_event_invoke_config(**properties)
    return {'Ref': name}


@makes('AWS::Logs::MetricFilter')
def metric_filter(name, properties, former):
    def lowered(transformation):
        return {key[0].lower() + key[1:]: value for key, value in transformation.items()}

    client('logs').put_metric_filter(
        filterName=name,
        filterPattern=properties['FilterPattern'],
        logGroupName=properties['LogGroupName'],
        metricTransformations=[lowered(it) for it in properties['MetricTransformations']],
    )
    return {'Ref': name}


PLAIN_HTTP = [{'Bool': {'aws:SecureTransport': 'false'}}, {'NumericLessThan': {'s3:TlsVersion': 1.2}}]


@makes('AWS::S3::BucketPolicy')
def bucket_policy(name, properties, former):
    # moto is asked over plain http, which the policy of every bucket refuses, and looks at no condition anyway.
    document = properties['PolicyDocument']
    statements = [it for it in document['Statement'] if it.get('Condition') not in PLAIN_HTTP]
    if len(document['Statement']) - len(statements) != len(PLAIN_HTTP):
        raise SystemExit(f'{name} does not refuse plain http and old TLS')
    if statements:
        policy = json.dumps({**document, 'Statement': statements})
        client('s3').put_bucket_policy(Bucket=properties['Bucket'], Policy=policy)
    return {'Ref': properties['Bucket']}


@makes('AWS::SQS::QueuePolicy')
def queue_policy(name, properties, former):
    for url in properties['Queues']:
        client('sqs').set_queue_attributes(
            QueueUrl=url, Attributes={'Policy': json.dumps(properties['PolicyDocument'])}
        )
    return {'Ref': name}


@makes('AWS::SNS::TopicPolicy')
def topic_policy(name, properties, former):
    for topic in properties['Topics']:
        client('sns').set_topic_attributes(
            TopicArn=topic, AttributeName='Policy', AttributeValue=json.dumps(properties['PolicyDocument'])
        )
    return {'Ref': name}


@makes('AWS::SNS::Subscription')
def subscription(name, properties, former):
    answer = client('sns').subscribe(**properties, ReturnSubscriptionArn=True)
    return {'Ref': answer['SubscriptionArn']}


@makes('AWS::Scheduler::ScheduleGroup')
def schedule_group(name, properties, former):
    group = properties['Name']
    if not former:
        client('scheduler').create_schedule_group(**properties)
    return {'Ref': group, 'Arn': f'arn:aws:scheduler:{REGION}:{ACCOUNT}:schedule-group/{group}'}


@makes('AWS::Scheduler::Schedule')
def schedule(name, properties, former):
    service = client('scheduler')
    send = service.update_schedule if former else service.create_schedule
    answer = send(**{'Name': name, **properties})
    return {'Ref': properties.get('Name', name), 'Arn': answer['ScheduleArn']}


@makes('AWS::CloudFront::Function')
def edge_function(name, properties, former):
    if former:
        return former
    answer = client('cloudfront').create_function(
        Name=properties['Name'],
        FunctionCode=properties['FunctionCode'].encode(),
        FunctionConfig=properties['FunctionConfig'],
    )
    arn = answer['FunctionSummary']['FunctionMetadata']['FunctionARN']
    return {'Ref': arn, 'FunctionARN': arn}


def left_out(**values):
    """By name: values that others need, made up."""
    return lambda name: {'values': {'Ref': str(uuid.uuid5(uuid.NAMESPACE_DNS, name)), **values}}


# moto's CloudFront has no cache policies, and a distribution without them would be another one.
LEFT_OUT = {
    'AWS::CloudFront::CachePolicy': left_out(),
    'AWS::CloudFront::Distribution': left_out(DomainName='d111111abcdef8.cloudfront.net'),
}
