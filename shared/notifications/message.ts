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

/** One message per cluster or pruner; a single digest if there are more than `most`. */
export function messagesOf(news: readonly Notification[], most: number): Message[] {
  const bySubject = groupBy(news, (one) =>
    'cluster' in one ? `cluster ${one.cluster}` : `pruner ${one.pruner}`,
  );
  if (bySubject.size > most) return [digest(news, bySubject.size)];
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

/** One line per type: `30 with a newer patch: prod-1, prod-2, … and 20 more`. */
function digest(news: readonly Notification[], subjects: number): Message {
  const [first] = news;
  const byType = groupBy(news, ({ type }) => type);
  const lines = NOTIFICATION_TYPES.flatMap((type) => {
    const same = byType.get(type) ?? [];
    const names = [...new Set(same.map(subjectOf))].toSorted();
    return names.length === 0 ? [] : [`${names.length} ${HEADING[type]}: ${listInWords(names)}`];
  });
  return {
    id: `digest/${first!.id}`,
    at: first!.at,
    title: `${countInWords(news.length, 'change')} of ${subjects} clusters and pruners`,
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
