import { groupBy } from '../collection/group-by.ts';
import { countInWords, listInWords } from '../text/words.ts';
import {
  type Notification,
  NOTIFICATION_TYPES,
  subjectOf,
  HEADING,
  notificationText,
} from './notification.ts';

export interface Message {
  /** Stable across retries. */
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly count: number;
}

/**
 * One message per cluster or pruner; a single digest if there are more than `most`. `undecided` counts clusters for which a
 * risk of the news is unknown.
 */
export function messagesOf(news: readonly Notification[], most: number, undecided = 0): Message[] {
  const bySubject = groupBy(news, (one) => `${kindOf(one)} ${subjectOf(one)}`);
  if (bySubject.size > most) return [digest(news, bySubject.size, undecided)];
  return [...bySubject.values()].map((same) => {
    const [first] = same;
    const lines = same.map(notificationText);
    return {
      id: first!.id,
      at: first!.at,
      title:
        lines.length === 1 ? lines[0]! : `${countInWords(lines.length, 'change')} of ${subjectOf(first!)}`,
      lines: lines.length === 1 ? [] : lines,
      count: lines.length,
    };
  });
}

function kindOf(one: Notification): string {
  return ['cluster', 'pruner', 'acceptance'].find((kind) => kind in one)!;
}

/** One line per type: `30 with a newer patch: prod-1, prod-2, … and 20 more`. */
function digest(news: readonly Notification[], subjects: number, undecided: number): Message {
  const [first] = news;
  const byType = groupBy(news, ({ type }) => type);
  const lines = NOTIFICATION_TYPES.flatMap((type) => {
    const same = byType.get(type) ?? [];
    const names = [...new Set(same.map(subjectOf))].toSorted();
    if (names.length === 0) return [];
    const isOfRisks = type === 'RiskAppliesToCluster' && undecided > 0;
    const more = isOfRisks ? `; for ${countInWords(undecided, 'more cluster')} it is not known` : '';
    return [`${names.length} ${HEADING[type]}: ${listInWords(names)}${more}`];
  });
  const kinds = news.some((one) => 'acceptance' in one)
    ? 'clusters, pruners and acceptances'
    : 'clusters and pruners';
  return {
    id: `digest/${first!.id}`,
    at: first!.at,
    title: `${countInWords(news.length, 'change')} of ${subjects} ${kinds}`,
    lines,
    count: news.length,
  };
}

export function messageText({ title, lines }: Message): string {
  return [title, ...lines.map((line) => `- ${line}`)].join('\n');
}

/** One line without quotes and backslashes: EventBridge puts it into a quoted string for mail without escaping. */
export function messageLine({ title, lines }: Message): string {
  return [title, ...lines].join('. ').replaceAll('"', "'").replaceAll('\\', '/');
}

export const WEBHOOK_FORMATS = ['slack', 'teams', 'json'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export function webhookBody(format: WebhookFormat, message: Message): unknown {
  if (format === 'slack') return slackBody(message);
  return format === 'teams' ? teamsBody(message) : message;
}

/** Slack reads `<…>` as links and mentions; only these three characters need escapes. */
function slackBody({ title, lines }: Message): unknown {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    text: [escape(title), ...lines.map((line) => `• ${escape(line)}`)].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
  };
}

/** Adaptive Card for Teams workflows. Its text blocks are Markdown, so special characters are escaped. */
function teamsBody({ title, lines }: Message): unknown {
  const escape = (text: string): string => text.replace(/[\\`*_[\]()#<>|~]/g, '\\$&');
  const block = (text: string, more: object = {}): object => ({
    type: 'TextBlock',
    text: escape(text),
    wrap: true,
    ...more,
  });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(title, { weight: 'Bolder' }), ...lines.map((line) => block(`• ${line}`))],
        },
      },
    ],
  };
}
