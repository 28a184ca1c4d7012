import { ACCOUNT } from '../gateway/deployed-api.ts';
import { arnIn, type GuardedService, operationOf } from './asked-request.ts';

const refuse: GuardedService['refuse'] = (Message) => ({
  status: 403,
  type: 'application/json',
  body: JSON.stringify({ __type: 'AccessDeniedException', Message }),
});

/** EventBridge: PutEvents only. */
export const eventService: GuardedService = {
  demandsOf(request) {
    if (operationOf(request, 'AWSEvents') !== 'PutEvents') return null;
    const { Entries } = JSON.parse(request.body.toString('utf8')) as {
      readonly Entries: readonly { readonly EventBusName?: string }[];
    };
    return Entries.map(({ EventBusName: bus = 'default' }) => ({
      action: 'events:PutEvents',
      resource: bus.startsWith('arn:') ? bus : arnIn('events', `event-bus/${bus}`),
      context: {},
    }));
  },
  refuse,
};

const SCHEDULE_OPERATIONS = new Map([
  ['GET', 'GetSchedule'],
  ['POST', 'CreateSchedule'],
  ['PUT', 'UpdateSchedule'],
  ['DELETE', 'DeleteSchedule'],
]);

/** EventBridge Scheduler: passing a role requires `iam:PassRole`. */
export const schedulerService: GuardedService = {
  demandsOf({ method, url, body }) {
    const [, folder, name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const operation = SCHEDULE_OPERATIONS.get(method);
    if (operation === undefined || folder !== 'schedules' || name === '' || rest.length > 0) return null;
    const input = JSON.parse(body.toString('utf8') || '{}') as {
      readonly GroupName?: string;
      readonly Target?: { readonly RoleArn: string };
    };
    const group = input.GroupName ?? url.searchParams.get('groupName') ?? 'default';
    const role = input.Target?.RoleArn;
    return [
      {
        action: `scheduler:${operation}`,
        resource: arnIn('scheduler', `schedule/${group}/${name}`),
        context: {},
      },
      ...(role === undefined
        ? []
        : [
            {
              action: 'iam:PassRole',
              resource: role.startsWith('arn:') ? role : `arn:aws:iam::${ACCOUNT}:role/${role}`,
              context: { 'iam:PassedToService': ['scheduler.amazonaws.com'] },
            },
          ]),
    ];
  },
  refuse,
};
