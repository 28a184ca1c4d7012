import { type ClusterFacts, type NodeFacts, REPORTED_KINDS } from '@cairn/shared/cluster/facts';
import { metricLabel } from '@cairn/shared/cluster/nodes';
import { neededFacts, reducedDocuments } from '@cairn/shared/cluster/reduced-documents';
import { clusterRisks } from '@cairn/shared/risk/cluster-risks';
import { familiesOf } from '@cairn/shared/risk/derive/families';
import { selectorsOf } from '@cairn/shared/risk/promql/expression';
import { answerAlong } from '../../../helpers/path/random-paths.ts';
import { reportOn } from '../../../helpers/plan/reports.ts';
import { shippedVectors } from '../../../helpers/risk/vectors.ts';
import { compileAll, factsOf, riskOf } from '../../../helpers/risk/verdicts.ts';
import { worldDocuments } from '../../../helpers/risk/world-documents.ts';
import { drawWorld } from '../../../helpers/risk/world.ts';
import { cpuCostOf, medianRatio, repeat } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';

const ROUNDS = 15;
/** One turn is a few milliseconds, so that a round measures more than the clock's resolution. */
const TURNS = 100;
const NODES = 250;
const OPERATORS = 60;
/** As many as the channel with the most. */
const RISKS = 22;
const PATH = ['4.18.30', '4.19.20', '4.20.5'];

/** Deriving metrics and evaluating the risks of a channel, against parsing the documents of a report. */
export const riskEvaluation: Row = {
  name: 'risks of a cluster',
  async run() {
    const { queries: texts } = shippedVectors();
    const queries = compileAll(texts);
    const risks = texts.filter((text) => 'expression' in queries[text]!).map(riskOf);
    const reported = reducedDocuments(neededFacts(largeFacts()), REPORTED_KINDS);
    const facts = factsOf(reported);
    const documents = JSON.stringify(reported);
    const parse = () => JSON.parse(documents) as unknown;
    const metrics = new Set(
      Object.values(queries).flatMap((query) =>
        'expression' in query ? selectorsOf(query.expression).map(({ metric }) => metric) : [],
      ),
    );
    const derive = () => {
      const families = familiesOf(facts);
      for (const metric of metrics) families(metric);
    };
    const evaluate = () => {
      const answerOf = clusterRisks({ facts, queries });
      for (const risk of risks.slice(0, RISKS)) answerOf(risk, 'first');
    };
    const conditional = answerAlong(PATH, [true, true]);
    const plan = () => reportOn(facts, conditional);
    const planWithRisks = () =>
      reportOn(facts, conditional, {}, { clusterRisks: clusterRisks({ facts, queries }) });
    for (const work of [parse, derive, evaluate, plan, planWithRisks]) repeat(TURNS, work);
    const against = (work: () => unknown, other: () => unknown) =>
      medianRatio(
        () => cpuCostOf(() => repeat(TURNS, work)),
        () => cpuCostOf(() => repeat(TURNS, other)),
        ROUNDS,
      );
    const size = `${NODES} nodes, ${OPERATORS} operators`;
    return [
      ratio(`metrics of ${size} / JSON.parse of a report of it`, await against(derive, parse), 0.3),
      ratio(`${RISKS} risks of ${size} / JSON.parse of a report of it`, await against(evaluate, parse), 0.5),
      ratio(`plan of ${size} with risks / without`, await against(planWithRisks, plan), 1.1),
    ];
  },
};

/** Labels that become one metric label, which hardly any cluster has. */
function hasTwins({ labels }: NodeFacts): boolean {
  const keys = Object.keys(labels);
  return new Set(keys.map(metricLabel)).size < keys.length;
}

/** Facts of a drawn cluster, with more nodes and operators of the same kinds. */
function largeFacts(): ClusterFacts {
  for (let seed = 1; ; seed++) {
    const facts = factsOf(Object.values(worldDocuments(drawWorld(seed))));
    const { nodes, operators } = facts;
    if (!nodes?.length || !operators?.length || nodes.some(hasTwins)) continue;
    return {
      ...facts,
      nodes: Array.from({ length: NODES }, (_, at) => ({ ...nodes[at % nodes.length]!, name: `node-${at}` })),
      operators: Array.from({ length: OPERATORS }, (_, at) => ({
        ...operators[at % operators.length]!,
        name: `operator-${at}.v1`,
      })),
    };
  }
}
