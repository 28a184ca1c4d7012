import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { compileQuery } from '@cairn/shared/risk/promql/parse-query';
import { Random } from '../../../helpers/random.ts';
import { disturb, drawQuery } from '../../../helpers/risk/drawn-queries.ts';
import { exactFamilies, fullFamilies } from '../../../helpers/risk/full-families.ts';
import { differenceOf, outcomeOfTotals, outcomesOf, type Totals } from '../../../helpers/risk/oracle.ts';
import { publishedQueries, shippedVectors, type Vectors, VECTORS } from '../../../helpers/risk/vectors.ts';
import { compileAll, verdictsOf } from '../../../helpers/risk/verdicts.ts';
import { worldDocuments } from '../../../helpers/risk/world-documents.ts';
import { trueSeries } from '../../../helpers/risk/world-series.ts';
import { drawWorld, type World } from '../../../helpers/risk/world.ts';
import { askPromtool, type Cluster, type Question } from './promtool.ts';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string' },
    queries: { type: 'string' },
    clusters: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    // Stores what promtool answered as the vectors of `npm test`.
    write: { type: 'boolean', default: false },
  },
});
const PER_RUN = 25;
const AT_ONCE = 2;
const DRAWN_QUERIES = 60;

const queries =
  flags.queries !== undefined && existsSync(flags.queries)
    ? publishedQueries(flags.queries)
    : shippedVectors().queries;
const compiled = compileAll(queries);

interface Asked {
  readonly world: World;
  readonly cluster: Cluster;
  readonly drawn: readonly Question[];
}

const counted = { expressions: 0, drawn: 0, fails: 0, errors: 0, choices: 0, decided: 0, differences: 0 };
const vectors: Vectors['clusters'][number][] = [];

function ask(seed: number): Asked {
  const world = drawWorld(seed);
  const series = trueSeries(world);
  const families = fullFamilies(series);
  const questions = queries.map((promql, at) => {
    const outcomes = outcomesOf(promql, families);
    const [only] = outcomes;
    const isClear = outcomes.length === 1 && only !== 'fails';
    return { key: `q${at}`, promql, expected: isClear ? { count: 1, sum: only === 'yes' ? 1 : 0 } : null };
  });
  const random = new Random(seed);
  const texts = Array.from({ length: DRAWN_QUERIES }, (_, at) =>
    at % 3 > 0 ? drawQuery(random, 1 + random.below(4)) : disturb(random, random.pick(queries)),
  );
  const drawn = texts.flatMap((promql, at) =>
    'expression' in compileQuery(promql) ? [{ key: `drawn${at}`, promql, expected: null }] : [],
  );
  return { world, cluster: { name: `c${seed}`, series, questions: [...questions, ...drawn] }, drawn };
}

/** With the labels that documents do not show there is one answer, without them the same or several. */
function compareDrawn({ cluster, drawn }: Asked, answers: ReadonlyMap<string, Totals>): void {
  const [exact, shown] = [exactFamilies(cluster.series), fullFamilies(cluster.series)];
  for (const { key, promql } of drawn) {
    const answer = answers.get(key) ?? { count: null, sum: null };
    counted.drawn++;
    const difference = differenceOf(promql, exact, answer);
    if (difference !== null) differ(cluster, promql, difference);
    const outcomes = outcomesOf(promql, shown);
    const truth = outcomeOfTotals(answer);
    if (!outcomes.includes(truth)) differ(cluster, promql, `is ${truth}, shown as ${outcomes.join(' or ')}`);
  }
}

function differ(cluster: Cluster, promql: string, how: string): void {
  counted.differences++;
  if (counted.differences <= 20) console.log(`${cluster.name}: ${how}\n${promql}\n`);
}

function compare({ world, cluster }: Asked, answers: ReadonlyMap<string, Totals>): void {
  const families = fullFamilies(cluster.series);
  const verdicts = verdictsOf(Object.values(worldDocuments(world)), compiled);
  const totals = cluster.questions.slice(0, queries.length).map(({ key, promql, expected }) => {
    const answer = answers.get(key) ?? expected ?? { count: null, sum: null };
    const truth = outcomeOfTotals(answer);
    counted.expressions += 2;
    if (truth === 'fails') counted.fails++;
    if (answer === 'error') counted.errors++;
    if (outcomesOf(promql, families).length > 1) counted.choices++;
    const difference = differenceOf(promql, families, answer);
    if (difference !== null) differ(cluster, promql, difference);
    const { applies, possible } = verdicts(promql);
    if (applies !== 'unknown') counted.decided++;
    const said: readonly string[] = possible ?? [applies];
    if (!said.includes(truth)) {
      differ(cluster, promql, `is ${truth}, its documents say ${said.join(' or ')}`);
    }
    return answer;
  });
  vectors.push({ seed: world.seed, series: cluster.series, totals });
}

const first = Number(flags.seed);
const seeds = Array.from({ length: Number(flags.clusters) }, (_, at) => first + at);
const runs = Array.from({ length: Math.ceil(seeds.length / PER_RUN) }, (_, at) =>
  seeds.slice(at * PER_RUN, (at + 1) * PER_RUN),
);

async function work(): Promise<void> {
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const asked = run.map(ask);
    const answers = await askPromtool(
      asked.map(({ cluster }) => cluster),
      flags.folder!,
      `clusters-${run[0]}`,
    );
    for (const one of asked) {
      const ofCluster = answers.get(one.cluster.name) ?? new Map<string, Totals>();
      compare(one, ofCluster);
      compareDrawn(one, ofCluster);
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));

const { expressions, drawn, fails, errors, choices, decided, differences } = counted;
console.log(
  `${seeds.length} clusters from seed ${first}, ${queries.length} queries, ${expressions} expressions: ` +
    `${fails} answers fail, ${errors} of them are errors of the query, ${choices} hang on a choice of topk; ` +
    `${decided} are decided by documents. ${drawn} drawn queries. ${differences} differences`,
);
if (differences > 0) process.exit(1);
if (flags.write) {
  const clusters = vectors.toSorted((a, b) => a.seed - b.seed);
  writeFileSync(VECTORS, gzipSync(JSON.stringify({ queries, clusters } satisfies Vectors), { level: 9 }));
}
