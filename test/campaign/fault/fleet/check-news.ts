import { type Notification, notificationText } from '@cairn/shared/notifications/notification';
import type { Chronicle, FollowRun, ToldNews } from './chronicle.ts';
import { isTrue, saidBy, standingOf, TOPIC } from './news-rules.ts';
import type { Truth } from './truth.ts';

const DAY_MS = 24 * 3600_000;

/** Holds all that was told against what was so. */
export function checkNews(truth: Truth, chronicle: Chronicle): void {
  for (const id of truth.ids) {
    const told = chronicle.newsOf(id);
    for (const news of told) checkTruth(truth, chronicle, id, news);
    const cluster = truth.clusterNow(id);
    if (cluster === null) continue;
    // What is told of a former one under the name is settled, or gone with it.
    const own = told.filter(({ event }) => Date.parse(event.at) >= cluster.bornAt);
    for (const topic of new Set(Object.values(TOPIC))) {
      const ofTopic = own.filter(({ event }) => TOPIC[event.type] === topic);
      checkSequence(truth, chronicle, { id, topic, told: ofTopic });
      // A cluster that moves to a version with a risk is not told of it.
      if (topic !== 'plan' && topic !== 'risk')
        checkNothingLost(truth, chronicle, { id, topic, last: ofTopic.at(-1) });
    }
  }
  checkRepeats(chronicle);
}

/** It was so at some moment since the run began that found it: each run tells under the time of its slot. */
function checkTruth(truth: Truth, chronicle: Chronicle, id: string, { event, order }: ToldNews): void {
  const finders = chronicle.runs.filter(({ slot }) => slot === event.at);
  const from = Math.min(...finders.map(({ begunAt }) => begunAt));
  const states = truth.clusterBetween(id, from, order);
  const offers = truth.offersBetween(from, order);
  const isSo = states.some((state) => offers.some((offer) => isTrue(event, state, offer)));
  if (!isSo) chronicle.violate(`${event.id} was never so: ${JSON.stringify(event.detail)}`);
}

/** Nobody is told what was told before, unless it was otherwise meanwhile, nor twice within a day. */
function checkSequence(
  truth: Truth,
  chronicle: Chronicle,
  { id, topic, told }: { readonly id: string; readonly topic: string; readonly told: readonly ToldNews[] },
): void {
  for (const [index, { event, order }] of told.entries()) {
    const before = told[index - 1];
    if (before === undefined) continue;
    if (Date.parse(event.at) - Date.parse(before.event.at) < DAY_MS) {
      chronicle.violate(`${id} is told of within a day: ${before.event.id} and ${event.id}`);
    }
    if (event.type === 'UpdateAtRisk' || saidBy(event) !== saidBy(before.event)) continue;
    const wasOtherwise = standingsBetween(truth, id, topic, before.order, order).some(
      (standing) => standing !== saidBy(event),
    );
    if (!wasOtherwise) chronicle.violate(`${id} is told the same again: ${before.event.id} and ${event.id}`);
  }
}

/** How it stands was told last, or it was so when the cluster was new. */
function checkNothingLost(
  truth: Truth,
  chronicle: Chronicle,
  { id, topic, last }: { readonly id: string; readonly topic: string; readonly last: ToldNews | undefined },
): void {
  const standing = standingOf(topic, truth.clusterNow(id)!, truth.offer);
  if (standing === null || (last && saidBy(last.event) === standing)) return;
  if (last === undefined && standingsAtFirst(truth, chronicle, id, topic).includes(standing)) return;
  chronicle.violate(
    `${id}: nobody was told of ${topic} ${standing}, but last of ${last?.event.id ?? 'nothing'}`,
  );
}

/** What may have been noted without being told: all that was so until the first look at the new cluster was written down. */
function standingsAtFirst(
  truth: Truth,
  chronicle: Chronicle,
  id: string,
  topic: string,
): readonly (string | null)[] {
  const born = truth.birthOf(id);
  const between = (from: number, to: number) => standingsBetween(truth, id, topic, from, to);
  const first = chronicle.outlooks.find(
    ({ id: other, order, run }) =>
      other === id &&
      run.begunAt > born &&
      Date.parse(run.slot) >= truth.clusterNow(id)!.bornAt &&
      // Where nothing could be said, nothing was noted.
      between(run.begunAt, order).every((standing) => standing !== null || topic === 'patch'),
  );
  return between(born, first?.order ?? Infinity);
}

/** How a topic stood at some moment of the time. */
function standingsBetween(
  truth: Truth,
  id: string,
  topic: string,
  from: number,
  to: number,
): readonly (string | null)[] {
  return truth
    .clusterBetween(id, from, to)
    .flatMap((state) => truth.offersBetween(from, to).map((offer) => standingOf(topic, state, offer)));
}

/** The same once more, under the same id, only after something went wrong for a run that told it. */
function checkRepeats(chronicle: Chronicle): void {
  const repeated = new Set<string>();
  for (const [id, tellings] of Map.groupBy(chronicle.news, ({ event }) => event.id)) {
    if (tellings.length > 1) repeated.add(id);
    const excused = tellings.slice(0, -1).every(({ run }) => wasDisturbed(chronicle, run));
    if (!excused) chronicle.violate(`${id} is told ${tellings.length} times for no reason`);
    const texts = new Set(tellings.map(({ event }) => JSON.stringify(event)));
    if (texts.size > 1) chronicle.violate(`${id} is told in ${texts.size} ways`);
  }
  for (const [, tellings] of Map.groupBy(chronicle.messages, ({ by, message }) => `${by} ${message.id}`)) {
    const { message, by } = tellings[0]!;
    const excused = tellings.slice(0, -1).every(({ run }) => wasDisturbed(chronicle, run));
    if (!excused && !repeated.has(message.id)) {
      chronicle.violate(`the message ${message.id} comes ${tellings.length} times by ${by} for no reason`);
    }
  }
}

function wasDisturbed(chronicle: Chronicle, run: FollowRun): boolean {
  return run.result?.status !== 'Done' || run.stoodStill || run.lostAnswer || !chronicle.wasAlone(run);
}

/** What was told since some time reached people too, by each of the two ways; a cluster that is deleted takes it along. */
export function checkMessages(truth: Truth, chronicle: Chronicle, since: number): void {
  for (const { event } of chronicle.news) {
    const cluster = truth.clusterNow(String(event.detail['cluster']));
    if (cluster === null || Date.parse(event.at) <= Math.max(since, cluster.bornAt)) continue;
    const { id, type, at, detail } = event;
    const text = notificationText({ id, type, at, ...detail } as Notification);
    for (const by of ['events', 'webhook'] as const) {
      const isThere = chronicle.messages.some(
        (told) => told.by === by && [told.message.title, ...told.message.lines].includes(text),
      );
      if (!isThere) chronicle.violate(`nobody got the message of ${id} by ${by}`);
    }
  }
}
