import type { Message } from '@cairn/shared/notifications/message';
import type { FleetResult } from '../../../../functions/fleet/job.ts';
import type { SeenEvent } from '../../../helpers/lambda/seen-event.ts';

/** A run of the job, and what became of it. */
export interface FollowRun {
  readonly actor: string;
  readonly slot: string;
  readonly begunAt: number;
  readonly hasWrongClock: boolean;
  /** Null while it is under way, and when it failed or was killed. */
  result: FleetResult | null;
  endedAt: number;
  stoodStill: boolean;
  /** Somebody took what it was not told of. */
  lostAnswer: boolean;
}

/** A run has written down what lies ahead of a cluster. */
export interface AssessedUpgrade {
  readonly id: string;
  readonly order: number;
  readonly run: FollowRun;
}

/** Something that was taken by the bus or the webhook. */
export interface Delivery {
  readonly order: number;
  readonly run: FollowRun;
}

export interface ToldNews extends Delivery {
  readonly event: SeenEvent;
}

export interface ToldMessage extends Delivery {
  readonly by: 'events' | 'webhook';
  readonly message: Pick<Message, 'id' | 'title' | 'lines'>;
}

/** What the runs of a trial came to and told, for the checks. */
export class Chronicle {
  readonly violations: string[] = [];
  readonly runs: FollowRun[] = [];
  readonly news: ToldNews[] = [];
  readonly messages: ToldMessage[] = [];
  readonly outlooks: AssessedUpgrade[] = [];
  /** Age is measured by the slot: where some are wrong, neither the order of news nor the age of marks is known. */
  hasWrongSlots = false;

  violate(what: string): void {
    this.violations.push(what);
  }

  /** Of the news of a cluster the first telling of each, in the order of their slots. */
  newsOf(id: string): readonly ToldNews[] {
    const first = new Map<string, ToldNews>();
    for (const told of this.news) {
      if (told.event.detail['cluster'] === id && !first.has(told.event.id)) first.set(told.event.id, told);
    }
    return [...first.values()].toSorted((a, b) => (a.event.at < b.event.at ? -1 : 1));
  }

  /** Nobody else ran while it did. */
  wasAlone(run: FollowRun): boolean {
    return this.runs.every(
      (other) => other === run || other.endedAt < run.begunAt || other.begunAt > run.endedAt,
    );
  }
}
