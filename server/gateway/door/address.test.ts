import { expect, test } from 'vitest';
import { readAddress } from './address';

test.each([
  ['/chat/completions', 'chat'],
  ['/chat/completions/', 'chat'],
  ['//chat///completions', 'chat'],
  ['/chat%2Fcompletions', 'chat'],
  ['/chat/%63ompletions', 'chat'],
  ['/Chat/Completions', 'chat'],
  ['/responses/?a=1', 'responses'],
  ['/messages', 'messages'],
  ['/messages/count_tokens', null],
  ['/completions', null],
  ['/responses/resp_1', null],
  ['/chat/%zz', null],
])('R-68 a call to a model is one however its path is spelled, and goes up as it was sent: %s', (path, dialect) => {
  expect(readAddress(`/gateway/my-route/v1${path}`)).toEqual({ route: 'my-route', path, dialect });
});

test.each(['/gateway/r/v1/../x', '/gateway/r/v1/%2e%2E/x', '/gateway/r/v1/a%2f..%5cb', '/gateway/R/v1/x', '/gateway/r/v2/x'])(
  'no address: %s',
  (target) => {
    expect(readAddress(target)).toBe(null);
  },
);
