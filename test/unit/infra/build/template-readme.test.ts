import { expect, it } from 'vitest';
import { readme } from '../../../../infra/build/template.ts';
import { templateOf } from '../../../helpers/template/template.ts';

/** Of those with CloudFront. */
const LONGEST_REGION = 'ap-southeast-1';
const LONGEST_FUNCTION_NAME = 64;

it('allows only names of stacks with which those of CloudFront are short enough', async () => {
  const text = readme('Cairn', []);
  const most = Number(/name of a stack will do, up to (\d+) characters/.exec(text)?.[1]);
  const values: Record<string, string> = {
    'AWS::StackName': 's'.repeat(most),
    'AWS::Region': LONGEST_REGION,
  };
  const template = await templateOf({ access: { publicReleaseData: 'graph' }, cloudFront: true });
  const names = template
    .ofType('AWS::CloudFront::Function')
    .map(({ properties }) =>
      (properties.Name['Fn::Join'][1] as (string | { Ref: string })[])
        .map((part) => (typeof part === 'string' ? part : values[part.Ref]))
        .join(''),
    );
  expect(names).not.toEqual([]);
  expect(names.filter((name) => name.length > LONGEST_FUNCTION_NAME)).toEqual([]);
  expect(most).toBeGreaterThan(0);
});
