import { gunzipSync } from 'node:zlib';
import { configPairs, type ReleaseConfig } from '@cairn/shared/releases/sources';
import type { SyncState } from '../../../../functions/releases/sync-state.ts';
import type { Table } from '../../../../functions/store/table.ts';
import { startQuery } from '../../../helpers/lambda/ask-query.ts';
import { dumpTable } from '../../../helpers/table/dump-table.ts';
import { faultOfGraph } from './graph-rules.ts';
import { changeId, minorIn, type SyncHistory } from './history.ts';
import type { UpstreamModel } from './upstream-model.ts';

type Item = Record<string, unknown>;

/** All that must be true once everything has calmed down and two undisturbed runs have passed. */
export async function checkFinalState(
  table: Table,
  history: SyncHistory,
  model: UpstreamModel,
  config: ReleaseConfig,
): Promise<void> {
  const items = await dumpTable(table);
  const pairs = configPairs(config).map(({ channel, arch }) => `${channel}/${arch}`);
  checkBook(items, history, pairs);
  checkDocuments(items, history, model, pairs);
  checkReleases(items, history, model, config);
  checkTraces(items, history, pairs);
  await checkAnswers(table, history, model, pairs);
}

const partOf = (items: readonly Item[], prefix: string) =>
  items.filter((item) => String(item['pk']).startsWith(prefix));

function checkBook(items: readonly Item[], history: SyncHistory, pairs: readonly string[]): void {
  const [state] = partOf(items, 'SYNC#STATE');
  if (!state?.['book']) return history.violate('the sync has no state in the end');
  if ('leaseOwner' in state) history.violate('the lease is held in the end');
  const book = JSON.parse(gunzipSync(state['book'] as Uint8Array).toString()) as SyncState;
  const slots = book.runs.map(({ slot }) => slot);
  if (new Set(slots).size < slots.length) history.violate('two records are of the same slot');
  for (const pair of pairs) {
    const revision = history.latest(`graph/${pair}`)?.head.revision;
    if (book.pairs[pair]?.revision !== revision) history.violate(`the state has another revision of ${pair}`);
  }
  if (book.undelivered.length > 0) history.violate('events are undelivered in the end');
}

function checkDocuments(
  items: readonly Item[],
  history: SyncHistory,
  model: UpstreamModel,
  pairs: readonly string[],
): void {
  const heads = new Map<string, Item>();
  for (const item of partOf(items, 'DOC#')) if (item['sk'] === '!HEAD') heads.set(String(item['pk']), item);
  for (const item of partOf(items, 'DOC#')) {
    if (item['sk'] === '!HEAD') continue;
    const document = String(item['pk']).slice('DOC#'.length);
    // What is not followed any more is tidied up when it goes for good, or comes back.
    if (document.startsWith('graph/') && !pairs.includes(document.slice('graph/'.length))) continue;
    const head = heads.get(String(item['pk']));
    const revision = String(item['sk']).split('#')[1]!;
    // What a run left that was cut short goes with the next publication of this document.
    if (!history.undisturbed.has(history.latest(document)?.actor ?? '')) continue;
    if (revision !== head?.['revision'] && revision !== head?.['previous']) {
      history.violate(`${String(item['pk'])} ${String(item['sk'])} is left over`);
    }
  }
  for (const pair of pairs) {
    const { graph } = history.latest(`graph/${pair}`) ?? {};
    const fault = graph ? faultOfGraph(graph, model.now(pair), graph) : 'nothing is published';
    if (fault !== null)
      history.violate(`the graph of ${pair} is not what upstream says in the end: ${fault}`);
  }
}

function checkReleases(
  items: readonly Item[],
  history: SyncHistory,
  model: UpstreamModel,
  config: ReleaseConfig,
): void {
  const rows = new Map(
    partOf(items, 'RELEASE#').map((row) => [`${String(row['pk'])}|${String(row['sk'])}`, row]),
  );
  const names = new Set([...rows.values()].map((row) => `${String(row['version'])} ${String(row['pk'])}`));
  const given = new Set(
    model.given.flatMap(({ pair, graph }) =>
      [...graph.nodes.keys()].map((version) => `${version} RELEASE#${pair.split('/')[1]}`),
    ),
  );
  for (const name of names) if (!given.has(name)) history.violate(`the row ${name} was never upstream`);
  for (const { document, graph } of history.flips) {
    if (!document.startsWith('graph/')) continue;
    const [, channel = '', arch] = document.split('/');
    const own = [...graph!.nodes.keys()].filter((version) => version.startsWith(`${channel.split('-')[1]}.`));
    const lost = own.filter((version) => !names.has(`${version} RELEASE#${arch}`));
    if (lost.length > 0) history.violate(`${document} was published and has no rows of ${lost.join(' ')}`);
  }
  for (const [key, payload] of history.payloads) {
    const row = rows.get(key);
    if (!row) history.violate(`the row ${key} is lost`);
    else if (row['payload'] !== payload) history.violate(`the payload of the row ${key} changed`);
  }
  const configured = new Set<string>(config.sources.map(({ minor }) => minor));
  const expected = [...rows.values()]
    .filter((row) => configured.has(minorIn(String(row['sk']))))
    .map((row) => String(row['version']));
  const catalogue = JSON.parse(history.latest('catalogue')?.text ?? '{"releases":[]}') as {
    releases: readonly { version: string }[];
  };
  const listed = new Set(catalogue.releases.map(({ version }) => version.replace(/-multi$/, '')));
  const missing = [...new Set(expected)].filter((version) => !listed.has(version));
  if (missing.length > 0) history.violate(`the catalogue lacks ${missing.join(' ')}`);
}

/** Every change has its row and was told. */
function checkTraces(items: readonly Item[], history: SyncHistory, pairs: readonly string[]): void {
  const changes = new Set(
    partOf(items, 'CHANGES#').map((item) => `${String(item['pk'])}|${String(item['sk'])}`),
  );
  for (const { document, head } of history.flips) {
    const pair = document.startsWith('graph/') ? document.slice('graph/'.length) : '';
    if (!pairs.includes(pair)) continue;
    const id = changeId(pair, head);
    if (!changes.has(`CHANGES#${pair}|${head.publishedAt}#${head.revision}`)) {
      history.violate(`the change ${id} has no row`);
    }
    if (!history.told.has(id)) history.violate(`the change ${id} was never told`);
  }
}

/** As a function sees it that was started just now. */
async function checkAnswers(
  table: Table,
  history: SyncHistory,
  model: UpstreamModel,
  pairs: readonly string[],
): Promise<void> {
  const ask = startQuery(
    table,
    () => Date.now(),
    undefined,
    () => {},
  );
  for (const pair of pairs) {
    const [channel, arch] = pair.split('/');
    const newest = [...model.now(pair).nodes.keys()].at(-1)!;
    const { status, content } = await ask(`/v1/versions/${newest}`);
    const isKnown = status === 200 && content.toString().includes(`"${channel}"`);
    if (!isKnown) history.violate(`${newest} of ${pair} is not known to queries: ${status}`);
    const channelAnswer = await ask(`/v1/channels/${channel}/${arch}`);
    if (channelAnswer.status !== 200) history.violate(`${pair} answers ${channelAnswer.status} in the end`);
  }
}
