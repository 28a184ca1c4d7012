import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scrapedSeries } from '../../../helpers/risk/full-families.ts';
import type { Totals } from '../../../helpers/risk/oracle.ts';
import type { TrueSeries } from '../../../helpers/risk/true-series.ts';

export interface Question {
  /** Names the answer. */
  readonly key: string;
  readonly promql: string;
  /** What is expected; promtool prints only what differs. */
  readonly expected: { readonly count: number; readonly sum: number } | null;
}

export interface Cluster {
  readonly name: string;
  readonly series: readonly TrueSeries[];
  readonly questions: readonly Question[];
}

/** Totals that are not as expected, and all that were asked without expectation, by cluster and key. */
export type Answers = ReadonlyMap<string, ReadonlyMap<string, Totals>>;

const AT = '65m';

/** Asks `promtool test rules` for the totals of queries on clusters with constant series. */
export async function askPromtool(
  clusters: readonly Cluster[],
  folder: string,
  name: string,
): Promise<Answers> {
  const file = join(folder, `${name}.json`);
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ evaluation_interval: '65m', tests: clusters.map(groupOf) }));
  const output = await new Promise<string>((resolve) => {
    const options = { maxBuffer: 2 ** 30 };
    execFile('promtool', ['test', 'rules', file], options, (_error, stdout, stderr) => {
      resolve(`${stdout}\n${stderr}`);
    });
  });
  return answersIn(output, clusters);
}

function groupOf({ name, series, questions }: Cluster): unknown {
  const expectation = (value: number | null) => (value === null ? [] : [{ labels: '{}', value }]);
  return {
    name,
    interval: '1m',
    input_series: series.flatMap(inputOf),
    promql_expr_test: questions.flatMap(({ key, promql, expected }) =>
      (['count', 'sum'] as const).map((total) => ({
        expr: `# ${name} ${key} ${total}\n${total}(${promql}\n)`,
        eval_time: AT,
        exp_samples: expectation(expected?.[total] ?? null),
      })),
    ),
  };
}

function inputOf(series: TrueSeries, index: number): readonly unknown[] {
  return scrapedSeries(series, index).map(({ labels, value }) => {
    const texts = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return { series: `${series.metric}{${texts.join(',')}}`, values: `${value}+0x70` };
  });
}

const DIFFERENCE =
  /expr: "# (\S+) (\S+) (count|sum)\\n(?:[^"\\]|\\.)*", time: 1h5m,(?: err: (.*)|\s+exp: .*\s+got: (?:(nil)|\{\} (\S+)))/g;

function answersIn(output: string, clusters: readonly Cluster[]): Answers {
  const answers = new Map<string, Map<string, Totals>>();
  const asked = new Map(
    clusters.map((cluster) => [cluster.name, new Map(cluster.questions.map((one) => [one.key, one]))]),
  );
  let found = 0;
  for (const [, name, key, total, error, none, number] of output.matchAll(DIFFERENCE)) {
    found++;
    const ofCluster = answers.get(name!) ?? new Map<string, Totals>();
    answers.set(name!, ofCluster);
    const former = ofCluster.get(key!) ?? asked.get(name!)!.get(key!)!.expected ?? { count: null, sum: null };
    const isError = error !== undefined || former === 'error';
    const value = none === undefined ? Number(number) : null;
    ofCluster.set(key!, isError ? 'error' : { ...former, [total!]: value });
  }
  // Whatever else is wrong is not a difference of numbers.
  const listed = output.match(/expr: "/g)?.length ?? 0;
  if (listed !== found || (found === 0 && !/SUCCESS/.test(output))) {
    throw new Error(`promtool answered what this cannot read: ${output.slice(0, 2000)}`);
  }
  return answers;
}
