import { imageSets } from '@cairn/shared/path/image-set';
import type { PlanQuestion } from '@cairn/shared/plan/figures';
import { operatorsToMirror } from '@cairn/shared/plan/mirror-operators';
import { planUpgrade } from '@cairn/shared/plan/plan';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { question } from '../../../helpers/cluster/random-clusters.ts';
import { sized } from '../../../helpers/size.ts';

function contentOf(asked: PlanQuestion) {
  const path = asked.answer.found ? asked.answer.upgrade.path.map(({ version }) => version) : [];
  return operatorsToMirror({ facts: asked.facts, path, hops: planUpgrade(asked).hops });
}

/** Now and then the cluster says nothing of its operators. */
const maybeSilent = fc.tuple(question, fc.nat(9)).map(([asked, dice]) => ({
  ...asked,
  facts:
    dice === 0 ? { ...asked.facts, operators: null, subscriptions: null, extensions: null } : asked.facts,
}));

const RELEASE = { version: '4.14.8', arch: 'amd64', channels: ['stable-4.14'] } as const;
const NAME = /^[A-Za-z0-9][\w.-]*$/;

describe('operators to mirror of any cluster', () => {
  it('are read back from the configuration as they were written, whatever names there are', () => {
    let [known, unknown, own] = [0, 0, 0];
    fc.assert(
      fc.property(maybeSilent, (asked) => {
        const content = contentOf(asked);
        const yaml = imageSets([RELEASE], content).files.at(-1)!.text;
        const hasFile = (content.catalogs ?? []).length > 0;
        const written = (content.catalogs ?? []).filter(({ catalog }) => catalog !== null);
        const document = parse(yaml) as { mirror: Record<string, unknown> };
        const platform = expect.any(Object) as object;
        expect(document).toEqual({
          kind: 'ImageSetConfiguration',
          apiVersion: 'mirror.openshift.io/v2alpha1',
          // A file with nothing but comments has an empty member.
          mirror:
            hasFile && written.length === 0
              ? null
              : {
                  ...(!hasFile && { platform }),
                  ...(written.length > 0 && {
                    operators: written.map(({ catalog, packages }) => ({
                      catalog,
                      packages: packages.map(({ name, channels }) => ({
                        name,
                        ...(channels.length > 0 && {
                          defaultChannel: channels.at(-1),
                          channels: channels.map((channel) => ({ name: channel })),
                        }),
                      })),
                    })),
                  }),
                },
        });
        // What is said beside it stays a comment, and on one line, for parsers of YAML 1.1 too.
        expect(yaml).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
        const notes = yaml.slice(0, yaml.indexOf('kind:')).split('\n').slice(0, -1);
        expect(notes.filter((line) => !line.startsWith('# '))).toEqual([]);
        expect(notes).toHaveLength(content.notes.length + 1);
        known += written.length;
        unknown += Number(content.catalogs === null);
        own += (content.catalogs ?? []).filter(({ catalog }) => catalog === null).length;
      }),
      { numRuns: sized(50, 3000) },
    );
    // Otherwise it says little. A few draws meet not all of them.
    expect([known, unknown, own].map((count) => count >= sized(0, 6))).toEqual([true, true, true]);
  });

  it('have each catalog once, packages and channels once and in order, and names only', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { catalogs } = contentOf(asked);
        const keys = (catalogs ?? []).map(
          ({ minor, catalog, sources }) => catalog ?? `${minor} ${sources.join()}`,
        );
        expect(new Set(keys).size).toBe(keys.length);
        for (const { sources, packages } of catalogs ?? []) {
          const names = packages.map(({ name }) => name);
          for (const list of [names, sources, ...packages.map(({ channels }) => channels)]) {
            expect(list).toEqual([...new Set(list)].toSorted());
          }
          const all = [
            ...names,
            ...packages.flatMap(({ channels }) => channels),
            ...sources.flatMap((one) => one.split('/')),
          ];
          expect(all.filter((name) => !NAME.test(name))).toEqual([]);
          expect(packages.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: sized(30, 1500) },
    );
  });

  it('are the same whatever the order of Subscriptions and operators', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { subscriptions, operators } = asked.facts;
        const facts = {
          ...asked.facts,
          subscriptions: subscriptions?.toReversed() ?? null,
          operators: operators?.toReversed() ?? null,
        };
        expect(contentOf({ ...asked, facts })).toEqual(contentOf(asked));
      }),
      { numRuns: sized(20, 1000) },
    );
  });
});
