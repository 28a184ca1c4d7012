import { readFileSync } from 'node:fs';
import { NOTIFICATION_TYPES } from '@cairn/shared/notifications/notification';
import { expect, it } from 'vitest';
import { EVENT_DETAILS, eventSchemas } from '../../../../functions/runtime/event-schemas.ts';

it('the document has every event as it is described here; `npm run openapi` remakes it', () => {
  const file = new URL('../../../../docs/events.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(eventSchemas());
});

it('every kind of notification has a schema', () => {
  expect(Object.keys(EVENT_DETAILS())).toEqual(expect.arrayContaining([...NOTIFICATION_TYPES]));
});
