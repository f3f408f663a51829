import { expect, test } from 'vitest';
import { namesIn } from './names-in-headers';

const json = (value: unknown): string => JSON.stringify(value);

test.each([
  [{ 'helicone-session-id': 's' }, 's'],
  [{ 'x-litellm-session-id': 's' }, 's'],
  [{ 'x-portkey-trace-id': 's' }, 's'],
  [{ 'x-litellm-trace-id': 's' }, 's'],
  [{ 'x-portkey-metadata': json({ session: ' s ' }) }, 's'],
  [{ 'x-portkey-metadata': json({ session_id: 's' }) }, 's'],
  [{ 'x-assay-session': 's', 'helicone-session-id': 'other', 'x-portkey-trace-id': 'other' }, 's'],
  [{ 'x-portkey-metadata': json({ session: 's' }), 'x-portkey-trace-id': 'other' }, 's'],
  [{ 'x-litellm-session-id': 's', 'x-litellm-trace-id': 'other' }, 's'],
  [{ 'x-assay-session': ' ', 'helicone-session-id': 's' }, 's'],
  [{ 'x-portkey-metadata': json({ session: 7 }) }, null],
  [{ 'x-portkey-metadata': '{"session":' }, null],
  [{ 'x-portkey-metadata': json(['session']) }, null],
  [{ 'x-portkey-metadata': 'null' }, null],
  [{ 'x-portkey-metadata': '{"__proto__":{"session":"s"},"constructor":"s"}' }, null],
  [{}, null],
])('the headers %j name the session %j', (headers, session) => {
  expect(namesIn(headers).namedSession).toBe(session);
});

test.each([
  [{ 'x-assay-user': 'u', 'helicone-user-id': 'other' }, { user_id: 'u' }],
  [{ 'helicone-user-id': 'u' }, { user_id: 'u' }],
  [{ 'x-portkey-metadata': json({ _user: 'u', environment: 'prod' }) }, { user_id: 'u' }],
  [{ 'x-litellm-customer-id': 'u', 'x-litellm-end-user-id': 'other' }, { user_id: 'u' }],
  [{ 'x-litellm-end-user-id': 'u' }, { user_id: 'u' }],
  [
    { 'helicone-session-name': 'Booking', 'helicone-session-path': '/book/flight' },
    { session_name: 'Booking', session_path: '/book/flight' },
  ],
  [{ 'helicone-user-id': 'u'.repeat(300) }, { user_id: 'u'.repeat(200) }],
  [{}, {}],
])('the headers %j become the metadata %j', (headers, metadata) => {
  expect(namesIn(headers).metadata).toEqual(metadata);
});
