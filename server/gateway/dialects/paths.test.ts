import { expect, test } from 'vitest';
import { namesInPath, readApiPath, serverPath } from './paths';

// The paths that the SDKs build, as seen from unmodified clients.
test.each([
  ['/v1/chat/completions', 'base', '/chat/completions', '/chat/completions', null],
  ['/v1', 'base', '', '', null],
  ['/openai/v1/chat/completions', 'base', '/chat/completions', '/chat/completions', null],
  ['/v1beta/openai/chat/completions', 'base', '/chat/completions', '/chat/completions', null],
  [
    '/v1beta/models/m:generateContent',
    'server',
    '/v1beta/models/m:generateContent',
    '/models/m:generateContent',
    'x-goog-api-key',
  ],
  [
    '/v1/models/m:streamGenerateContent',
    'server',
    '/v1/models/m:streamGenerateContent',
    '/models/m:streamGenerateContent',
    'x-goog-api-key',
  ],
  ['/v1/models/llama:free', 'base', '/models/llama:free', '/models/llama:free', null],
  ['/v1beta/models', 'server', '/v1beta/models', '/models', 'x-goog-api-key'],
  [
    '/openai/deployments/d/chat/completions',
    'server',
    '/openai/deployments/d/chat/completions',
    '/chat/completions',
    'api-key',
  ],
  ['/openai/responses', 'server', '/openai/responses', '/responses', 'api-key'],
  ['/api/chat', 'server', '/api/chat', '/api/chat', null],
])('the path %s goes below the %s as %s: the operation is %s, the key in %s', (...row) => {
  const [path, below, sent, operation, keyHeader] = row;
  expect(readApiPath(path)).toMatchObject({ below, sent, operation, keyHeader });
});

test.each([
  '',
  '/',
  '/v2/chat',
  '/v1x/chat',
  '/apis',
  '/API/chat',
  '/openaix',
  '/chat/completions',
])('no API has the path %j', (path) => expect(readApiPath(path)).toBeNull());

test.each([
  ['', ''],
  ['/v1', ''],
  ['/v1beta', ''],
  ['/v1beta/openai', ''],
  ['/openai/v1', ''],
  ['/openai', ''],
  ['/openai/deployments/d', ''],
  ['/api', ''],
  ['/tenant/a/v1', '/tenant/a'],
  ['/v1/tenant', '/v1/tenant'],
  ['/myapi', '/myapi'],
])('the server of a base URL with the path %j is at %j', (base, root) => {
  expect(serverPath(base)).toBe(root);
});

const none = { model: null, stream: false, isDeployment: false };
test.each([
  ['/v1/chat/completions', none],
  ['/v1/models/m', none],
  ['/v1/chat/completions?x=/models/m:streamGenerateContent', none],
  ['/v1beta/models/gemini-2.5-flash:generateContent', { ...none, model: 'gemini-2.5-flash' }],
  [
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    { ...none, model: 'gemini-2.5-flash', stream: true },
  ],
  ['/v1beta/models/meta%2Fllama:generateContent/', { ...none, model: 'meta/llama' }],
  ['/v1beta/tunedModels/mine:generateContent', { ...none, model: 'tunedModels/mine' }],
  [
    '/t/openai/deployments/our%20chat/chat/completions?api-version=2024-10-21',
    { ...none, model: 'our chat', isDeployment: true },
  ],
])('the path %s names %j', (path, names) => {
  expect(namesInPath(path)).toEqual(names);
});
