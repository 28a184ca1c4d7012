import { canBeInCommand, deleteCommands } from '@cairn/shared/prune/objects/delete-commands';
import { describeResource, type Resource } from '@cairn/shared/prune/objects/resource';
import { describe, expect, it } from 'vitest';

function resource(kind: string, name: string, namespace?: string): Resource {
  const at = kind.lastIndexOf('/');
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return describeResource({ apiVersion: kind.slice(0, at), kind: kind.slice(at + 1), metadata });
}

const commands = (...resources: readonly Resource[]) =>
  deleteCommands(resources).map(({ command }) => command);

describe('commands', () => {
  it('are one for each kind and namespace, in the order of the first of each', () => {
    expect(
      commands(
        resource('v1/Pod', 'b', 'ci'),
        resource('batch/v1/Job', 'j', 'ci'),
        resource('v1/Pod', 'a', 'ci'),
        resource('v1/Pod', 'c', 'web'),
      ),
    ).toEqual([
      'oc delete pod -n ci --ignore-not-found b a',
      'oc delete job -n ci --ignore-not-found j',
      'oc delete pod -n web --ignore-not-found c',
    ]);
  });

  it.each([
    [resource('v1/ConfigMap', 'a', 'n'), 'oc delete configmap -n n --ignore-not-found a'],
    [resource('v1/Namespace', 'a'), 'oc delete namespace --ignore-not-found a'],
    [resource('batch/v1/CronJob', 'a', 'n'), 'oc delete CronJob.v1.batch -n n --ignore-not-found a'],
    [resource('tekton.dev/v1/Task', 'a', 'n'), 'oc delete Task.v1.tekton.dev -n n --ignore-not-found a'],
    [resource('v1/Pod', '$(reboot)', 'n m'), "oc delete pod -n 'n m' --ignore-not-found '$(reboot)'"],
    [resource('v1/Pod', "a'b", 'n'), String.raw`oc delete pod -n n --ignore-not-found 'a'\''b'`],
  ])('%#', (one, command) => {
    expect(commands(one)).toEqual([command]);
  });

  it('have up to 50 names each, and nothing gives none', () => {
    const many = Array.from({ length: 101 }, (_, index) => resource('v1/Pod', `p${index}`, 'ci'));
    const made = deleteCommands(many);
    expect(made.map(({ resources }) => resources.length)).toEqual([50, 50, 1]);
    expect(made.flatMap(({ command }) => command.split(' ').slice(6))).toEqual(many.map(({ name }) => name));
    expect(deleteCommands([])).toEqual([]);
  });
});

it.each<[string, string | null, boolean]>([
  ['pod-1', 'ci', true],
  ['node', null, true],
  ['system:admin', '', true],
  ["it's; reboot", 'ci', true],
  ['-A', 'ci', false],
  ['--all', null, false],
  ['pod', '-A', false],
  ['secret/pod', 'ci', false],
  ['a\nb', 'ci', false],
  ['a\u202Eb', 'ci', false],
  ['a\uD800', 'ci', false],
  ['a'.repeat(254), 'ci', false],
  ['', 'ci', false],
])('%j in %j can be in a command: %j', (name, namespace, expected) => {
  expect(canBeInCommand({ name, namespace })).toBe(expected);
});
