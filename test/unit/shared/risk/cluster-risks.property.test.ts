import { REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { neededFacts, reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../helpers/random.ts';
import { exactFamilies } from '../../../helpers/risk/full-families.ts';
import { outcomesOf } from '../../../helpers/risk/oracle.ts';
import { shippedVectors } from '../../../helpers/risk/vectors.ts';
import { compileAll, factsOf, verdictsOf } from '../../../helpers/risk/verdicts.ts';
import { withhold } from '../../../helpers/risk/withhold.ts';
import { worldDocuments } from '../../../helpers/risk/world-documents.ts';
import { trueSeries } from '../../../helpers/risk/world-series.ts';
import { drawWorld } from '../../../helpers/risk/world.ts';
import { sized } from '../../../helpers/size.ts';

const { queries } = shippedVectors();
const compiled = compileAll(queries);
const seed = Number(process.env['CAIRN_SEED']);

describe('clusterRisks', () => {
  it('never rules out the answer of the cluster, and knows no more from less', () => {
    const wrong: string[] = [];
    let decided = 0;
    for (let at = 0; at < sized(300, 20_000); at++) {
      const random = new Random(seed + at);
      const world = drawWorld(seed + at);
      const exact = exactFamilies(trueSeries(world));
      const all = worldDocuments(world);
      const some = withhold(all, random);
      const few = withhold(some, random);
      const reported = reducedDocuments(neededFacts(factsOf(Object.values(some))), REPORTED_KINDS);
      const shown = [all, some, few].map((documents) => Object.values(documents));
      const [full, ...less] = [...shown, reported].map((documents) => verdictsOf(documents, compiled));
      for (const promql of queries.filter(() => random.chance(sized(0.25, 0.2)))) {
        const [truth, ...others] = outcomesOf(promql, exact);
        const possibleIn = (verdicts: typeof full) => {
          const { applies, possible = [applies] } = verdicts!(promql);
          return possible as readonly string[];
        };
        const known = possibleIn(full);
        const [fewer, fewest, reduced] = less.map(possibleIn);
        if (known.length === 1) decided++;
        const isWithin = (some: readonly string[], more = some) => some.every((one) => more.includes(one));
        const isSound = others.length > 0 || known.includes(truth!);
        const isMonotone = isWithin(known, fewer) && isWithin(fewer!, fewest) && isWithin(fewer!, reduced);
        if (!isSound || !isMonotone) {
          const steps = [known, fewer, fewest, reduced].map((one) => one!.join());
          wrong.push(`cluster ${seed + at}: ${truth}, then ${steps.join(' → ')} in ${promql}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(decided).toBeGreaterThan(1000);
  });
});
