import type { Message } from '@cairn/shared/notifications/message';
import type { Posting } from '../../../../functions/notifications/post-webhook.ts';
import type { CairnEvent } from '../../../../functions/runtime/events.ts';
import type { Scene } from '../harness/scene.ts';
import type { Chronicle, FollowRun } from './chronicle.ts';
import type { Truth } from './truth.ts';

type Surroundings = Scene & { readonly truth: Truth; readonly chronicle: Chronicle };

/** Bus and webhook: they take what they get, refuse it, some of it, or take it and do not say so. */
export class Sinks {
  readonly #scene: Surroundings;

  constructor(scene: Surroundings) {
    this.#scene = scene;
  }

  /** Gives those that were refused. */
  publish(run: FollowRun, events: readonly CairnEvent[]): readonly CairnEvent[] {
    const fault = this.#draw(run, ['refused', 'some', 'failed', 'lost'] as const, 'bus');
    if (fault === 'refused') return events;
    if (fault === 'failed') throw new Error('planted');
    const refused = fault === 'some' ? events.slice(Math.floor(events.length / 2)) : [];
    for (const event of events) if (!refused.includes(event)) this.#take(run, event);
    if (fault !== 'lost') return refused;
    run.lostAnswer = true;
    throw new Error('planted');
  }

  post(run: FollowRun, message: Message): Posting {
    const fault = this.#draw(run, ['refused', 'lost'] as const, 'webhook');
    if (fault !== 'refused') {
      this.#scene.chronicle.messages.push({ order: this.#scene.truth.next(), run, by: 'webhook', message });
    }
    if (fault === 'lost') run.lostAnswer = true;
    return fault === null ? { ok: true } : { ok: false, detail: 'planted' };
  }

  #take(run: FollowRun, event: CairnEvent): void {
    const order = this.#scene.truth.next();
    if (event.type !== 'Message') {
      this.#scene.chronicle.news.push({ order, run, event });
      return;
    }
    const { title, lines } = event.detail as unknown as Message;
    this.#scene.chronicle.messages.push({
      order,
      run,
      by: 'events',
      message: { id: event.id, title, lines },
    });
  }

  #draw<Drawn>({ actor }: FollowRun, choices: readonly Drawn[], where: string): Drawn | null {
    const { disturbances } = this.#scene;
    return disturbances.draw(disturbances.rates.events, choices, () => `${actor} ${where}`);
  }
}
