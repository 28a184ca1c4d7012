import { messageLine, messagesOf, messageText, webhookBody } from '@cairn/shared/notifications/message';
import {
  type Notification,
  NOTIFICATION_TYPES,
  notificationText,
} from '@cairn/shared/notifications/notification';
import { describe, expect, it } from 'vitest';

const at = '2026-06-01T12:00:00.000Z';

function patch(cluster: string): Notification {
  return { id: `patch/${cluster}`, at, cluster, type: 'NewerPatch', version: '4.14.20', patch: '4.14.30' };
}

function blocked(cluster: string, blockers: readonly string[] = ['PoolsReady']): Notification {
  const way = { version: '4.14.20', target: '4.15.7' };
  return { id: `blocked/${cluster}`, at, cluster, type: 'ClusterBlocked', ...way, blockers };
}

const failing: Notification = {
  id: 'failing',
  at,
  pruner: 'prod-1',
  type: 'PrunerFailing',
  reason: 'NoRoots',
};

describe('a notification in a sentence', () => {
  const way = { cluster: 'prod-1', version: '4.14.20', target: '4.16.5' };
  const troubled = { from: '4.14.20', to: '4.15.7' };
  it.each<[Notification, string]>([
    [patch('prod-1'), 'prod-1 runs 4.14.20, and 4.14.30 is out'],
    [blocked('prod-1'), 'prod-1 is blocked on its way from 4.14.20 to 4.15.7: PoolsReady'],
    [
      {
        id: '',
        at,
        ...way,
        type: 'UpdateAtRisk',
        hops: [
          { ...troubled, now: 'conditional', risks: ['A', 'B'] },
          { ...troubled, now: 'withdrawn', risks: [] },
        ],
      },
      'prod-1, on its way to 4.16.5: the update 4.14.20 → 4.15.7 has risks now: A and B; the update 4.14.20 → 4.15.7 was withdrawn',
    ],
    [
      { id: '', at, ...way, type: 'PathOpened', hops: 2 },
      'prod-1 has a way from 4.14.20 to 4.16.5 now, 2 hops',
    ],
    [
      { id: '', at, ...way, type: 'PathClosed', reason: 'unreachable' },
      'prod-1 has no way from 4.14.20 to 4.16.5 any more (unreachable)',
    ],
    [
      { id: '', at, ...way, type: 'ClusterFree' },
      'prod-1 is no longer blocked on its way from 4.14.20 to 4.16.5',
    ],
    [
      {
        id: '',
        at,
        cluster: 'prod-1',
        version: '4.14.20',
        type: 'RemovedApiInUse',
        target: '4.16.5',
        apis: ['flowschemas.v1'],
      },
      'prod-1 uses flowschemas.v1, which an update on its path from 4.14.20 to 4.16.5 removes',
    ],
    [
      {
        id: '',
        at,
        cluster: 'prod-1',
        version: '4.14.20',
        type: 'RemovedApiInUse',
        target: '4.14.30',
        apis: ['flowschemas.v1'],
      },
      'prod-1 uses flowschemas.v1, which an update on its path from 4.14.20 to the next EUS minor removes',
    ],
    [
      {
        id: '',
        at,
        cluster: 'prod-1',
        version: '4.14.20',
        type: 'ClusterBlocked',
        target: '4.16.5',
        blockers: ['PoolsReady'],
        upcomingBlockers: ['AdminAcksCompleted'],
      },
      'prod-1 is blocked on its way from 4.14.20 to 4.16.5: PoolsReady; at later hops: AdminAcksCompleted',
    ],
    [
      {
        id: '',
        at,
        cluster: 'prod-1',
        version: '4.14.20',
        type: 'ClusterBlocked',
        target: '4.14.20',
        blockers: ['NodesHealthy'],
        upcomingBlockers: [],
      },
      'prod-1 is blocked at 4.14.20: NodesHealthy',
    ],
    [failing, 'the last run of the pruner prod-1 failed (NoRoots)'],
    [
      { id: '', at, pruner: 'main', type: 'PrunerOverdue' },
      'the pruner main is overdue: two of its times have passed without a run',
    ],
    [
      { id: '', at, pruner: 'main', type: 'PrunerRecovered', from: 'failing' },
      'the pruner main is no longer failing',
    ],
  ])('%#', (news, text) => {
    expect(notificationText(news)).toBe(text);
  });

  it('is one line, whatever names are in it', () => {
    expect(notificationText(blocked('prod-1', ['\u001b[31mred\nnext']))).toBe(
      'prod-1 is blocked on its way from 4.14.20 to 4.15.7: red next',
    );
  });
});

describe('messages', () => {
  it('are one for each cluster and each pruner, with all that is new of it', () => {
    const messages = messagesOf([patch('prod-1'), blocked('prod-2'), blocked('prod-1'), failing], 10);
    expect(messages.map(messageText)).toEqual([
      '2 changes of prod-1\n- prod-1 runs 4.14.20, and 4.14.30 is out\n- prod-1 is blocked on its way from 4.14.20 to 4.15.7: PoolsReady',
      'prod-2 is blocked on its way from 4.14.20 to 4.15.7: PoolsReady',
      'the last run of the pruner prod-1 failed (NoRoots)',
    ]);
    expect(messages.map(({ id, count }) => [id, count])).toEqual([
      ['patch/prod-1', 2],
      ['blocked/prod-2', 1],
      ['failing', 1],
    ]);
  });

  it('are one digest when there would be too many', () => {
    const names = Array.from({ length: 12 }, (_, number) => `c${String(number).padStart(2, '0')}`);
    const [digest, ...others] = messagesOf([...names.map(patch), blocked('c00'), failing], 12);
    expect(others).toEqual([]);
    expect(messageText(digest!)).toBe(
      [
        '14 changes of 13 clusters and pruners',
        '- 1 blocked: c00',
        '- 1 pruners failing: prod-1',
        '- 12 with a newer patch: c00, c01, c02, c03, c04, c05, c06, c07, c08, c09 and 2 more',
      ].join('\n'),
    );
  });

  it('name acceptances of risks beside clusters', () => {
    const ending = (id: string): Notification => ({
      id,
      at,
      acceptance: id,
      type: 'AcceptanceEnds',
      risk: 'SlowBoot',
      reason: 'tested\non staging',
      owner: 'platform',
      until: '2026-12-01T00:00:00.000Z',
      clusters: 2,
    });
    expect(messagesOf([ending('one')], 10).map(messageText)).toEqual([
      'the acceptance one of SlowBoot for 2 clusters ends at 2026-12-01T00:00:00.000Z (owner: platform; reason: tested on staging)',
    ]);
    const [digest] = messagesOf([ending('one'), ending('two'), patch('one')], 2);
    expect(messageText(digest!)).toBe(
      [
        '3 changes of 3 clusters, pruners and acceptances',
        '- 2 acceptances of risks that end: one and two',
        '- 1 with a newer patch: one',
      ].join('\n'),
    );
  });

  it('are one line for a mail, in which nothing ends a quotation', () => {
    const [message] = messagesOf([patch('prod-1'), blocked('prod-1', ['a "b" c\\n'])], 10);
    expect(messageLine(message!)).toBe(
      "2 changes of prod-1. prod-1 runs 4.14.20, and 4.14.30 is out. prod-1 is blocked on its way from 4.14.20 to 4.15.7: a 'b' c/n",
    );
    const [single] = messagesOf([failing], 10);
    expect(messageLine(single!)).toBe('the last run of the pruner prod-1 failed (NoRoots)');
  });

  it('are none without notifications', () => {
    expect(messagesOf([], 10)).toEqual([]);
  });

  it('list every type of notification in a digest', () => {
    const all = NOTIFICATION_TYPES.map(
      (type, number) => ({ id: '', at, cluster: `c${number}`, type }) as Notification,
    );
    expect(messagesOf(all, 1)[0]!.lines).toHaveLength(NOTIFICATION_TYPES.length);
  });
});

describe('a webhook gets', () => {
  const message = { id: 'm', at, title: '<!channel> *2* & more', lines: ['a_b <c>'], count: 2 };

  it('text for Slack, in which nothing is a link or a mention', () => {
    expect(webhookBody('slack', message)).toEqual({
      text: '&lt;!channel&gt; *2* &amp; more\n• a_b &lt;c&gt;',
      mrkdwn: false,
      unfurl_links: false,
    });
  });

  it('a card for Teams, in which nothing is Markdown', () => {
    expect(webhookBody('teams', message)).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            body: [
              { type: 'TextBlock', text: '\\<!channel\\> \\*2\\* & more', weight: 'Bolder' },
              { type: 'TextBlock', text: '• a\\_b \\<c\\>' },
            ],
          },
        },
      ],
    });
  });

  it('the message itself for programs', () => {
    expect(webhookBody('json', message)).toEqual(message);
  });
});
