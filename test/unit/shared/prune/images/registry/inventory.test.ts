import { DigestTable } from '@cairn/shared/prune/images/registry/digest-table';
import { Inventory } from '@cairn/shared/prune/images/registry/inventory';
import { layerLinkKey, uploadKey } from '@cairn/shared/prune/images/registry/storage-layout';
import { CondemnedBefore } from '@cairn/shared/prune/images/registry/tombstones';
import { describe, expect, it } from 'vitest';
import { digest, NOW, OLD, ROOT, shortKey, Scenario } from '../../../../../helpers/prune/scenario.ts';

const SHA512 = `sha512:${'ab'.repeat(64)}`;

function someScenario(): Scenario {
  const scenario = new Scenario();
  for (const repository of ['a', 'a-b', 'a/0', 'a/b']) {
    scenario.image(repository, 'm1', ['l1', 'l2']).image(repository, 'm2', ['l2']);
    for (const tag of ['v1', 'v1.1', 'v1-x', 'latest'])
      scenario.tag(repository, tag, 'm1').tag(repository, tag, 'm2', NOW);
  }
  return scenario.put(layerLinkKey(ROOT, 'a', SHA512)).put(uploadKey(ROOT, 'a', '1', 'data'));
}

describe('an inventory', () => {
  it('has tags and manifests in the order of the keys, however it was fed', () => {
    const scenario = someScenario();
    const sorted = [...scenario.keys.keys()].toSorted();
    for (const order of [sorted, sorted.toReversed(), [...sorted, ...sorted]]) {
      const inventory = scenario.inventory(order);
      const tags = [...inventory.tags()];
      expect(tags.map(({ key }) => key)).toEqual(sorted.filter((key) => key.endsWith('/current/link')));
      expect(tags[0]).toEqual({ repository: 'a-b', tag: 'latest', key: tags[0]!.key });
      expect([...inventory.manifestDigests(scenario.tags)]).toEqual([digest('m1'), digest('m2')]);
      expect(inventory.blobs).toBe(4);
    }
  });

  it('asks for what a tag points at though it was not listed', () => {
    const tags = new Map([['a:v9', digest('m9')]]);
    expect([...someScenario().inventory().manifestDigests(tags)]).toContain(digest('m9'));
  });

  it('counts what is nothing of a registry', () => {
    const inventory = new Inventory(ROOT);
    for (const key of ['else', `${ROOT}blobs/`, `${ROOT}blobs/sha256/ab/zz/data`]) inventory.add(key, 0, OLD);
    const almost = `${ROOT}blobs/sha256/ab/${'ab'.repeat(31)}zz/data`;
    inventory.add(almost, 0, OLD);
    expect([inventory.others, inventory.blobs]).toEqual([4, 0]);
  });

  it('counts the keys that may refer to any blob and names the first, also after a checkpoint', () => {
    const odd = (name: string) => `${ROOT}repositories/${name}/_layers/sha256/${'ab'.repeat(32)}/link`;
    const inventory = new Inventory(ROOT);
    expect(inventory.view().unknown).toEqual({ count: 0, example: null });
    for (const name of ['a b', 'é']) inventory.add(odd(name), 0, OLD);
    const resumed = Inventory.fromBytes(inventory.toBytes());
    resumed.add(odd('a/_b'), 0, OLD);
    expect(resumed.view().unknown).toEqual({ count: 3, example: odd('a b') });
    expect(resumed.others).toBe(0);
  });

  it('believes the younger of two times', () => {
    const scenario = new Scenario().image('r', 'm1', ['l1']);
    const inventory = scenario.inventory();
    for (const key of scenario.keys.keys()) inventory.add(key, 1, NOW);
    for (const key of scenario.keys.keys()) inventory.add(key, 1, OLD);
    const { modified, place, blobTimes, blobSizes } = inventory.view();
    expect([...modified]).toEqual([NOW, NOW]);
    expect(place).toHaveLength(2);
    expect([...blobTimes.subarray(0, blobSizes.length)]).toEqual([NOW, NOW]);
  });

  it('accepts entries after it was read', () => {
    const scenario = someScenario();
    const keys = [...scenario.keys.keys()];
    const inventory = new Inventory(ROOT);
    for (const key of keys) {
      inventory.add(key, scenario.keys.get(key)!.size, scenario.keys.get(key)!.modified);
      inventory.view();
    }
    expect([...inventory.toBytes()]).toEqual([...Inventory.fromBytes(inventory.toBytes()).toBytes()]);
    expect(scenario.plan({}, { inventory }).hash).toBe(scenario.plan().hash);
  });

  it('comes back from its bytes, wherever they are in memory', () => {
    const scenario = someScenario();
    const bytes = scenario.inventory().toBytes();
    const moved = new Uint8Array(bytes.length + 3).subarray(3);
    moved.set(bytes);
    const inventory = Inventory.fromBytes(moved);
    expect(scenario.plan({}, { inventory }).totals).toEqual(scenario.plan().totals);
    expect(inventory.view().uploads).toEqual(scenario.inventory().view().uploads);
  });

  it.each([
    ['empty bytes', new Uint8Array(), 'the bytes are no inventory'],
    ['other bytes', new Uint8Array(100).fill(7), 'the bytes are no inventory'],
    ['cut bytes', someScenario().inventory().toBytes().slice(0, -8), 'the bytes of an inventory were cut'],
  ])('does not come from %s', (_, bytes, message) => {
    expect(() => Inventory.fromBytes(bytes)).toThrow(message);
  });

  it('is of one root', () => {
    expect(() => new Inventory('other/').load(new Scenario().inventory().toBytes())).toThrow(
      `an inventory of "${ROOT}" cannot be added to one of "other/"`,
    );
  });

  it('finds every key again', () => {
    const scenario = someScenario();
    const inventory = scenario.inventory();
    const keys = [...scenario.keys.keys()].filter((key) => !shortKey(key).startsWith('upload'));
    const since = new Map(keys.map((key, index) => [key, index + 1]));
    const before = CondemnedBefore.of(
      inventory,
      Array.from(since, ([key, time]) => ({ key, since: time })),
    );
    const { place, blobs } = inventory.view();
    const found = Array.from(place.keys(), (row) => before.link(row));
    expect(new Set(found).size).toBe(place.length);
    expect(found).not.toContain(null);
    expect(place.length + blobs).toBe(keys.length);
  });
});

describe('numbers of digests', () => {
  it('are the same for the same digest, of any algorithm', () => {
    const table = new DigestTable();
    const digests = [...Array.from({ length: 5000 }, (_, number) => digest(String(number))), SHA512];
    const ids = digests.map((text) => table.intern(text));
    expect(new Set(ids).size).toBe(5001);
    expect(digests.map((text) => table.intern(text))).toEqual(ids);
    expect(digests.map((text) => table.find(text))).toEqual(ids);
    expect(ids.map((id) => table.text(id))).toEqual(digests);
    expect(table.find(digest('none'))).toBe(-1);
    expect(table.find('sha512:ff')).toBe(-1);
  });

  it.each([[[]], [[SHA512, 'md5x:00112233445566778899aabbccddeeff']]])(
    'sort as their keys do, with %j',
    (others) => {
      const table = new DigestTable();
      const digests = Array.from({ length: 3000 }, (_, number) => digest(String((number * 7919) % 3001)));
      const ids = Uint32Array.from([...digests, ...others], (text) => table.intern(text));
      const sorted = [...digests, ...others].toSorted((a, b) =>
        a.replace(':', '/') < b.replace(':', '/') ? -1 : 1,
      );
      expect(Array.from(table.sort(ids), (id) => table.text(id))).toEqual(sorted);
    },
  );
});
