import type { Message } from './message.ts';

export const WEBHOOK_FORMATS = ['slack', 'teams', 'json'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** A message as an incoming webhook takes it. */
export function webhookBody(format: WebhookFormat, message: Message): unknown {
  if (format === 'slack') return slackBody(message);
  return format === 'teams' ? teamsBody(message) : message;
}

/** Slack reads `<…>` as links and mentions, and only these three characters have to be escaped for it. */
function slackBody({ title, lines }: Message): unknown {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    text: [escape(title), ...lines.map((line) => `• ${escape(line)}`)].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
  };
}

/** An Adaptive Card, which the workflows of Teams post; its text blocks read Markdown, so what would be taken for it is escaped. */
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
