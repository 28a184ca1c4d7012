import { runSync } from '../../../../functions/sync/job.ts';
import { drawnGraph, following } from '../../../helpers/upstream/drawn-chains.ts';
import type { Scene } from '../harness/scene.ts';
import { OWN_BUCKET } from '../harness/stage.ts';
import { type Offer, RISK } from './drawn-state.ts';
import type { Truth } from './truth.ts';

type Surroundings = Scene & { readonly truth: Truth };

export const CHANNELS = ['stable-4.19', 'stable-4.20'];

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const FIRST: Offer = { patches: ['4.19.8', '4.19.9'], minors: ['4.20.3'], risky: new Set() };

export const OFFER_CHANGES = ['newer patch', 'newer minor', 'closed', 'opened', 'edge'] as const;
export type OfferChange = (typeof OFFER_CHANGES)[number];

/** What upstream offers, brought to the table by the sync, at once and undisturbed: the sync has a scenario of its own. */
export class Upstream {
  readonly #scene: Surroundings;

  constructor(scene: Surroundings) {
    this.#scene = scene;
  }

  async begin(): Promise<void> {
    await this.#publish(FIRST);
  }

  async change(what: OfferChange): Promise<void> {
    const { patches, minors, risky } = this.#scene.truth.offer;
    const updates = patches.flatMap((from) => minors.map((to) => `${from} ${to}`));
    const one = this.#scene.random.pick(updates);
    const next: Readonly<Record<OfferChange, Partial<Offer>>> = {
      'newer patch': { patches: [...patches, `4.19.${8 + patches.length}`] },
      'newer minor': { minors: [...minors, `4.20.${3 + minors.length}`] },
      closed: { risky: new Set(updates) },
      opened: { risky: new Set() },
      edge: {
        risky: new Set(risky.has(one) ? [...risky].filter((other) => other !== one) : [...risky, one]),
      },
    };
    await this.#publish({ ...this.#scene.truth.offer, ...next[what] });
  }

  async #publish(offer: Offer): Promise<void> {
    const graphs = new Map(CHANNELS.map((channel) => [channel, graphOf(offer, channel)]));
    const result = await runSync(
      {
        table: this.#scene.table,
        bucket: { client: this.#scene.stage.direct, name: OWN_BUCKET },
        config: following(...CHANNELS),
        upstream: {
          kind: 'live',
          url: 'http://upstream',
          open: () => ({
            fetchGraph: async (channel) => ({
              ok: true,
              answer: graphs.get(channel),
              bytes: 1,
              attempts: 1,
            }),
            close: async () => {},
          }),
        },
        events: { publish: async () => [] },
        log: silent,
        clock: Date.now,
      },
      {
        scheduledTime: new Date(Date.now()).toISOString(),
        trigger: 'manual',
        accept: CHANNELS.map((channel) => `${channel}/amd64`),
      },
    );
    if (result.status !== 'Done') throw new Error(`the sync was skipped: ${result.reason}`);
    this.#scene.truth.offered(offer);
    this.#scene.stage.clock.advance(1000);
  }
}

function graphOf({ patches, minors, risky }: Offer, channel: string): object {
  if (channel === CHANNELS[0]) return drawnGraph({ versions: patches });
  const edges = [...risky].map((update) => {
    const [from = '', to = ''] = update.split(' ');
    return { from, to, risk: RISK };
  });
  return drawnGraph({ versions: [...patches, ...minors], risky: edges });
}
