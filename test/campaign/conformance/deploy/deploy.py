"""Creates or updates the synthesized stack on moto's CloudFormation.

    deploy.py <folder of `cdk synth`> <stack> <work folder>

What moto's CloudFormation lacks is made with the same properties through moto's own APIs (makers.py), before the stack
where the stack refers to it, else after it. What cannot be made is left out and listed. The work folder gets
`stack.json` (outputs, functions with their environment, where everything was made) and the code of each function as it
was uploaded. It is called again to update: what is there then is read from `stack.json`. What an update removes of that
which the stack did not make stays.
"""

import io
import json
import sys
import zipfile
from hashlib import sha256
from base64 import b64encode
from pathlib import Path

from moto.cloudformation import parsing

from makers import ACCOUNT, LEFT_OUT, MAKERS, REGION, client

ASSETS = f'cdk-hnb659fds-assets-{ACCOUNT}-{REGION}'
PSEUDO = {
    'AWS::AccountId': ACCOUNT,
    'AWS::Region': REGION,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
}


def supported_types():
    return set(parsing.get_model_map())


# The identifier of the zone in every-setting.json.
ZONE = 'Z0123456789ABCDEFGHIJ'
# What a Ref of these gives is their name, but moto gives no text.
BY_NAME = {'AWS::Events::EventBus'}
# Their tags are a map in CloudFormation; moto fails on any but a list.
TAGGED_BY_MAP = {'AWS::SSM::Parameter'}


def upload_assets(folder, stack):
    """What `cdk bootstrap` and the upload of assets leave."""
    s3 = client('s3')
    s3.create_bucket(Bucket=ASSETS)
    client('ssm').put_parameter(
        Name='/cdk-bootstrap/hnb659fds/version', Value='31', Type='String', Overwrite=True
    )
    assets = json.loads((folder / f'{stack}.assets.json').read_text())['files']
    for asset in assets.values():
        (destination,) = asset['destinations'].values()
        path = folder / asset['source']['path']
        body = zipped(path) if asset['source']['packaging'] == 'zip' else path.read_bytes()
        s3.put_object(Bucket=ASSETS, Key=destination['objectKey'], Body=body)


def zone_on_moto():
    """The zone that the settings name has to be there, and moto chooses its identifier."""
    zone = client('route53').create_hosted_zone(Name='example.com', CallerReference='deploy')
    return zone['HostedZone']['Id'].removeprefix('/hostedzone/')


def zipped(folder):
    target = io.BytesIO()
    with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob('*')):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return target.getvalue()


def references(value):
    """The resources and attributes that a value names: ('Query', None) of a Ref, ('Query', 'Arn') of a GetAtt."""
    if isinstance(value, list):
        return {found for item in value for found in references(item)}
    if not isinstance(value, dict):
        return set()
    if 'Ref' in value:
        return {(value['Ref'], None)}
    if 'Fn::GetAtt' in value:
        name, attribute = value['Fn::GetAtt']
        return {(name, attribute)}
    return {found for item in value.values() for found in references(item)}


def resolved(value, lookup):
    """The value without functions; what `lookup` does not know stays as it is."""
    if isinstance(value, list):
        return [resolved(item, lookup) for item in value]
    if not isinstance(value, dict):
        return value
    if 'Ref' in value or 'Fn::GetAtt' in value:
        known = lookup(references(value).pop())
        return value if known is None else known
    if 'Fn::Join' in value:
        separator, parts = value['Fn::Join']
        parts = resolved(parts, lookup)
        whole = all(isinstance(part, str) for part in parts)
        return separator.join(parts) if whole else {'Fn::Join': [separator, parts]}
    if 'Fn::Select' in value:
        index, items = value['Fn::Select']
        items = resolved(items, lookup)
        return items[int(index)] if isinstance(items, list) else {'Fn::Select': [index, items]}
    if 'Fn::Split' in value:
        separator, text = value['Fn::Split']
        text = resolved(text, lookup)
        return text.split(separator) if isinstance(text, str) else {'Fn::Split': [separator, text]}
    return {key: resolved(item, lookup) for key, item in value.items()}


class Deployment:
    def __init__(self, folder, stack, work):
        self.stack = stack
        self.work = work
        self.state_file = work / 'stack.json'
        self.former = json.loads(self.state_file.read_text()) if self.state_file.exists() else None
        text = (folder / f'{stack}.template.json').read_text()
        self.template = json.loads(text.replace(ZONE, zone_on_moto()) if ZONE in text else text)
        supported = supported_types()
        resources = self.template['Resources']
        self.missing = {name: it for name, it in resources.items() if it['Type'] not in supported}
        # Of everything that the stack itself does not make: by name what a Ref and each GetAtt of it give.
        self.made = {}
        self.values = {}

    def lookup(self, reference):
        name, attribute = reference
        if name == 'AWS::StackName':
            return self.stack
        if name in PSEUDO:
            return PSEUDO[name]
        if name in self.made:
            return self.made[name]['values'].get(attribute or 'Ref')
        return self.values.get(reference)

    def is_known(self, name):
        properties = self.missing[name].get('Properties', {})
        return all(self.lookup(reference) is not None for reference in references(properties))

    def make(self, names):
        """Makes those of them whose references are known, until none is left that can be made."""
        left = list(names)
        while ready := [name for name in left if self.is_known(name)]:
            for name in ready:
                self.make_one(name)
            left = [name for name in left if name not in ready]
        return left

    def make_one(self, name):
        kind = self.missing[name]['Type']
        properties = resolved(self.missing[name].get('Properties', {}), self.lookup)
        former = (self.former or {}).get('made', {}).get(name)
        if former and former['properties'] == properties:
            self.made[name] = former
            return
        if kind in LEFT_OUT:
            values, how = LEFT_OUT[kind](name)['values'], 'left out'
        else:
            values, how = MAKERS[kind](name, properties, former and former['values']), 'api'
        self.made[name] = {'type': kind, 'how': how, 'properties': properties, 'values': values}

    def reduced_template(self, late):
        """Without what moto lacks; what will be made later is already known by name where it is referred to."""
        resources = self.template['Resources']
        kept = {name: dict(it) for name, it in resources.items() if name not in self.missing}
        for name in late:
            predicted = MAKERS[self.missing[name]['Type']].predict
            properties = resolved(self.missing[name].get('Properties', {}), self.lookup)
            for attribute, value in predicted(properties).items() if predicted else []:
                self.values[(name, None if attribute == 'Ref' else attribute)] = value

        named = [(name, it['Properties']) for name, it in kept.items() if it['Type'] in BY_NAME]
        names = {(name, None): resolved(properties, self.lookup)['Name'] for name, properties in named}

        def foreign(reference):
            return self.lookup(reference) if reference[0] in self.missing else names.get(reference)

        for it in kept.values():
            it['Properties'] = resolved(it.get('Properties', {}), foreign)
            if it['Type'] in TAGGED_BY_MAP:
                it['Properties'].pop('Tags', None)
            depends = [name for name in it.pop('DependsOn', []) if name not in self.missing]
            if depends:
                it['DependsOn'] = depends
        outputs = {key: resolved(it, foreign) for key, it in self.template['Outputs'].items()}
        wanted = set().union(*(references(self.missing[name].get('Properties', {})) for name in late))
        self.asked = [it for it in sorted(wanted, key=str) if it[0] in kept]
        for index, (name, attribute) in enumerate(self.asked):
            value = {'Ref': name} if attribute is None else {'Fn::GetAtt': [name, attribute]}
            outputs[f'Asked{index}'] = {'Value': value}
        template = {**self.template, 'Resources': kept, 'Outputs': outputs}
        left = {name for name, _ in references({'r': kept, 'o': outputs}) if name in self.missing}
        if left:
            raise SystemExit(f'the stack refers to what moto lacks: {sorted(left)}')
        return template

    def deploy(self):
        # What the stack refers to comes before it, as far as it needs nothing of the stack.
        late = self.make(self.missing)
        template = json.dumps(self.reduced_template(late))
        client('s3').put_object(Bucket=ASSETS, Key=f'{self.stack}.json', Body=template)
        cloudformation = client('cloudformation')
        send = cloudformation.update_stack if self.former else cloudformation.create_stack
        send(
            StackName=self.stack,
            TemplateURL=f'https://s3.{REGION}.amazonaws.com/{ASSETS}/{self.stack}.json',
            Capabilities=['CAPABILITY_NAMED_IAM'],
        )
        (found,) = cloudformation.describe_stacks(StackName=self.stack)['Stacks']
        wanted = 'UPDATE_COMPLETE' if self.former else 'CREATE_COMPLETE'
        if found['StackStatus'] != wanted:
            raise SystemExit(f"{self.stack}: {found['StackStatus']} {found.get('StackStatusReason', '')}")
        outputs = {it['OutputKey']: it['OutputValue'] for it in found['Outputs']}
        for index, reference in enumerate(self.asked):
            self.values[reference] = outputs.pop(f'Asked{index}')
        if left := self.make(late):
            raise SystemExit(f'not made, as what they refer to is not known: {left}')
        self.report(found['StackStatus'], outputs)

    def report(self, status, outputs):
        pages = client('cloudformation').get_paginator('list_stack_resources').paginate(StackName=self.stack)
        physical = {
            it['LogicalResourceId']: it['PhysicalResourceId']
            for page in pages
            for it in page['StackResourceSummaries']
        }
        resources = self.template['Resources']
        lost = [name for name in resources if name not in physical and name not in self.made]
        if lost:
            raise SystemExit(f'moto says it made the stack, but not {lost}')
        how = {
            it['Type']: self.made[name]['how'] if name in self.made else 'stack'
            for name, it in resources.items()
        }
        functions = {
            name: self.function(physical[name], it['Properties'])
            for name, it in resources.items()
            if it['Type'] == 'AWS::Lambda::Function'
        }
        state = {
            'status': status,
            'outputs': outputs,
            'functions': functions,
            'physical': physical,
            'made': self.made,
            'types': dict(sorted(how.items())),
        }
        self.state_file.write_text(json.dumps(state, indent=2))
        print(f"{self.stack}: {status}, {len(resources)} resources")

    def function(self, name, properties):
        """Its configuration as moto has it, and its code, unpacked from where the stack says it is."""
        key = properties['Code']['S3Key']
        if self.former:
            # moto's UpdateStack leaves the code as it was.
            client('lambda').update_function_code(FunctionName=name, S3Bucket=ASSETS, S3Key=key)
        found = client('lambda').get_function_configuration(FunctionName=name)
        body = client('s3').get_object(Bucket=ASSETS, Key=key)['Body'].read()
        if b64encode(sha256(body).digest()).decode() != found['CodeSha256']:
            raise SystemExit(f'{name} has other code than its asset')
        code = self.work / 'code' / key.removesuffix('.zip')
        zipfile.ZipFile(io.BytesIO(body)).extractall(code)
        kept = ('Handler', 'Runtime', 'Timeout', 'MemorySize', 'Role', 'FunctionArn', 'Architectures')
        return {
            'code': str(code),
            'environment': found.get('Environment', {}).get('Variables', {}),
            **{attribute: found[attribute] for attribute in kept},
        }


if __name__ == '__main__':
    folder, stack, work = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    upload_assets(folder, stack)
    Deployment(folder, stack, work).deploy()
