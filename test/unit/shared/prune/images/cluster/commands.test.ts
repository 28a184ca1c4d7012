import { clusterImageCommands } from '@cairn/shared/prune/images/cluster/commands';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../helpers/cluster/objects.ts';
import {
  byDigest,
  digest,
  image,
  pod,
  stream,
  verdictOn,
} from '../../../../../helpers/prune/cluster-scenario.ts';

const commandsFor = (objects: readonly Json[], keepTagRevisions = 1) =>
  clusterImageCommands(verdictOn(objects, { keepTagRevisions }));

interface Operation {
  readonly op: 'test' | 'remove';
  readonly path: string;
  readonly value?: string;
}

function operationsIn(command: string): Operation[] {
  const patch =
    /^oc patch imagestreams\.image\.openshift\.io \S+ -n \S+ --subresource=status --type=json -p '(.*)'$/;
  return JSON.parse(patch.exec(command)![1]!) as Operation[];
}

/** What an API server does with a patch: all of it or nothing. */
function patched(object: Json, operations: readonly Operation[]): Json | null {
  const copy = structuredClone(object);
  for (const { op, path, value } of operations) {
    const keys = path.split('/').slice(1);
    const last = keys.pop()!;
    const parent = keys.reduce<unknown>((at, key) => (at as Json | undefined)?.[key], copy);
    if (op === 'remove') (parent as unknown[]).splice(Number(last), 1);
    else if ((parent as Json | undefined)?.[last] !== value) return null;
  }
  return copy;
}

const left = (object: Json | null) =>
  object === null
    ? null
    : (object['status'] as { tags: { tag: string; items: { image: string }[] }[] }).tags.map(
        ({ tag, items }) => [tag, items.map(({ image: of }) => of)],
      );

/** With something in the place of a digest that turns the direction of text. */
const renamed = (object: Json, name: string) =>
  JSON.parse(JSON.stringify(object).replaceAll(digest(name), '\u202etxet')) as Json;

describe('the commands', () => {
  const bar = stream('foo/bar', {
    latest: ['D0', 'D1', 'D2'],
    gone: ['A0', 'A1'],
    v1: ['D0'],
    v2: ['D1', 'D3'],
  });
  const objects = [...['D0', 'D1', 'D2', 'D3', 'D4'].map((name) => image(name)), bar];

  it('leave in the streams what the verdict leaves', () => {
    const { streams, tagItemsInCommands } = commandsFor(objects);
    expect(streams).toHaveLength(1);
    expect(tagItemsInCommands).toBe(5);
    expect(left(patched(bar, operationsIn(streams[0]!.command)))).toEqual([
      ['latest', [digest('D0')]],
      ['v1', [digest('D0')]],
      ['v2', [digest('D1')]],
    ]);
  });

  it('remove a newest revision that nothing uses, and keep an older one in use', () => {
    const one = stream('foo/bar', { latest: ['D0', 'D1'] });
    const { streams } = commandsFor(
      [image('D0'), image('D1'), one, pod('Running', byDigest('foo/bar', 'D1'))],
      0,
    );
    expect(left(patched(one, operationsIn(streams[0]!.command)))).toEqual([['latest', [digest('D1')]]]);
  });

  it('do nothing to a stream that has changed meanwhile', () => {
    const operations = operationsIn(commandsFor(objects).streams[0]!.command);
    const pushed = stream('foo/bar', {
      latest: ['D9', 'D0', 'D1', 'D2'],
      gone: ['A0', 'A1'],
      v1: ['D0'],
      v2: ['D1', 'D3'],
    });
    const revived = stream('foo/bar', {
      latest: ['D0', 'D1', 'D2'],
      gone: ['D9', 'A0', 'A1'],
      v1: ['D0'],
      v2: ['D1', 'D3'],
    });
    const tagged = stream('foo/bar', {
      a: ['D0'],
      latest: ['D0', 'D1', 'D2'],
      gone: ['A0', 'A1'],
      v1: ['D0'],
      v2: ['D1', 'D3'],
    });
    expect([pushed, revived, tagged, bar].map((now) => patched(now, operations) === null)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('delete the Images that go, by digest', () => {
    const { images, imagesInCommands } = commandsFor(objects);
    expect(images.map(({ command }) => command)).toEqual([
      `oc delete images.image.openshift.io --ignore-not-found ${['D2', 'D3', 'D4'].map(digest).join(' ')}`,
    ]);
    expect(imagesInCommands).toBe(3);
  });

  it('are several for many, which may be run one after the other', () => {
    const revisions = Array.from({ length: 130 }, (_, index) => `D${index}`);
    const long = stream('foo/bar', { latest: revisions, other: revisions });
    const { streams, images } = commandsFor([...revisions.map((name) => image(name)), long]);
    expect(streams).toHaveLength(6);
    expect(images.map(({ command }) => command.split(' ').length - 4)).toEqual([50, 50, 29]);
    const after = streams.reduce<Json | null>(
      (now, { command }) => now && patched(now, operationsIn(command)),
      long,
    );
    expect(left(after)).toEqual([
      ['latest', [digest('D0')]],
      ['other', [digest('D0')]],
    ]);
  });

  it.each<[string, Json]>([
    ['a stream', stream('foo/--all', { latest: ['D0', 'D1'] })],
    ['a stream without a namespace', stream('/bar', { latest: ['D0', 'D1'] })],
    ['a tag', stream('foo/bar', { "x'; reboot '": ['D0', 'D1'] })],
    ['an image of a tag', renamed(stream('foo/bar', { latest: ['D0', 'A1', 'D1'] }), 'A1')],
    ['the newest image of a tag', renamed(stream('foo/bar', { latest: [['A1', 5], 'D0', 'D1'] }), 'A1')],
  ])('leave out an invalid name: %s, and with it its Images', (_name, object) => {
    const commands = commandsFor([image('D0'), image('D1'), object]);
    expect(commands).toEqual({ streams: [], images: [], tagItemsInCommands: 0, imagesInCommands: 0 });
  });

  it('leave out an Image whose name is no digest', () => {
    const hostile = {
      ...image('D1'),
      metadata: { name: '--all', creationTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(commandsFor([hostile]).images).toEqual([]);
  });

  it('are for at most 5,000 revisions and Images, and for no Image that a tag would still name', () => {
    const revisions = Array.from({ length: 5001 }, (_, index) => `D${index}`);
    const large = stream('foo/large', { latest: revisions });
    const objects = [
      ...revisions.map((name) => image(name, { layers: [] })),
      stream('foo/small', { latest: ['E0', 'E1'] }),
      large,
    ];
    const { streams, tagItemsInCommands, imagesInCommands } = commandsFor(objects, 0);
    // Two of the first stream, and of the second all but its three newest.
    expect([tagItemsInCommands, imagesInCommands]).toEqual([5000, 4998]);
    const after = streams
      .slice(1)
      .reduce<Json | null>((now, { command }) => now && patched(now, operationsIn(command)), large);
    expect(left(after)).toEqual([['latest', ['D0', 'D1', 'D2'].map(digest)]]);
  });
});
