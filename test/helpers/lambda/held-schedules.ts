import type { AwsCall, AwsReply } from './aws-stub.ts';

export interface HeldSchedules {
  /** Last definition, by name. */
  readonly byName: Map<string, Record<string, unknown>>;
  readonly reply: (call: AwsCall) => AwsReply;
}

/** Responses of EventBridge Scheduler for one group. */
export function heldSchedules(group: string): HeldSchedules {
  const byName = new Map<string, Record<string, unknown>>();
  const refuse = (status: number, type: string): AwsReply => ({
    status,
    body: { __type: type, Message: type },
  });
  const reply = ({ method, path, body }: AwsCall): AwsReply => {
    const url = new URL(path, 'http://stub');
    const name = decodeURIComponent(url.pathname.slice('/schedules/'.length));
    if ((body['GroupName'] ?? url.searchParams.get('groupName')) !== group) {
      return refuse(404, 'ResourceNotFoundException');
    }
    if (method === 'POST') {
      if (byName.has(name)) return refuse(409, 'ConflictException');
      byName.set(name, body);
      return { status: 200, body: { ScheduleArn: name } };
    }
    if (!byName.has(name)) return refuse(404, 'ResourceNotFoundException');
    if (method === 'PUT') byName.set(name, body);
    if (method === 'DELETE') byName.delete(name);
    return { status: 200, body: method === 'GET' ? { Name: name, ...byName.get(name) } : {} };
  };
  return { byName, reply };
}
