// Requests of each provider's SDKs on the wire: the target of their calls, the key sent with them,
// and the record.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../../testing/mock-upstream';
import { type RawAnswer, sendRaw } from '../../../testing/raw-answer';
import { assayKey, startProxy, type TestProxy, upstreamKey } from './proxy-fixture';
import { spokenBody, spokenPieces } from './speaking-fixture';

let upstream: MockUpstream;
beforeAll(async () => {
  upstream = await startMockUpstream(answerJson('{}'));
});
afterAll(() => upstream.close());
beforeEach(() => void (upstream.requests.length = 0));

/** Calls of one client, and the proxy for the base URL that its provider has. */
interface Sdk {
  readonly name: string;
  readonly base: string;
  readonly path: string;
  readonly sent: readonly (readonly [string, string])[];
  readonly url: string;
  readonly key: readonly [string, string];
  readonly model: string | null;
  readonly dialect: 'chat' | 'responses' | 'gemini' | 'ollama' | 'embeddings';
  readonly body: object;
}

const messages = [{ role: 'user', content: 'x' }];
const contents = [{ role: 'user', parts: [{ text: 'x' }] }];
const bearer = ['authorization', `Bearer ${upstreamKey}`] as const;
const gemini = { base: '/v1beta/openai', dialect: 'gemini', model: 'gemini-2.5-flash' } as const;
const generate = '/v1beta/models/gemini-2.5-flash:generateContent';
const google = ['x-goog-api-key', upstreamKey] as const;
const deployment = '/openai/deployments/our-chat';

const sdks: readonly Sdk[] = [
  {
    ...gemini,
    name: 'Google GenAI',
    path: generate,
    sent: [['x-goog-api-key', assayKey]],
    url: generate,
    key: google,
    body: { contents },
  },
  {
    ...gemini,
    name: 'Google, with the key in the query',
    path: `${generate}?key=${assayKey}&alt=json`,
    sent: [],
    url: `${generate}?alt=json`,
    key: google,
    body: { contents },
  },
  {
    ...gemini,
    name: 'Google, stable version',
    path: '/v1/models/gemini-2.5-flash:generateContent',
    sent: [['x-goog-api-key', assayKey]],
    url: '/v1/models/gemini-2.5-flash:generateContent',
    key: google,
    body: { contents },
  },
  {
    name: 'Google’s embeddings',
    base: '/v1beta/openai',
    path: '/v1beta/models/e:batchEmbedContents',
    sent: [['x-goog-api-key', assayKey]],
    url: '/v1beta/models/e:batchEmbedContents',
    key: google,
    model: 'e',
    dialect: 'embeddings',
    body: { requests: [{ model: 'models/e', content: contents[0] }] },
  },
  {
    name: 'Ollama',
    base: '/v1',
    path: '/api/chat',
    sent: [['authorization', `Bearer ${assayKey}`]],
    url: '/api/chat',
    key: bearer,
    model: 'llama3.2',
    dialect: 'ollama',
    body: { model: 'llama3.2', messages, stream: false },
  },
  {
    name: 'Groq',
    base: '/openai/v1',
    path: '/openai/v1/chat/completions',
    sent: [['authorization', `Bearer ${assayKey}`]],
    url: '/openai/v1/chat/completions',
    key: bearer,
    model: 'm',
    dialect: 'chat',
    body: { model: 'm', messages },
  },
  {
    name: 'Mistral',
    base: '/v1',
    path: '/v1/chat/completions',
    sent: [['authorization', `Bearer ${assayKey}`]],
    url: '/v1/chat/completions',
    key: bearer,
    model: 'mistral-small-latest',
    dialect: 'chat',
    body: { model: 'mistral-small-latest', stream: false, messages },
  },
  {
    name: 'Azure OpenAI, a deployment',
    base: '/openai/v1',
    path: `${deployment}/chat/completions?api-version=2024-10-21`,
    sent: [['api-key', assayKey]],
    url: `${deployment}/chat/completions?api-version=2024-10-21`,
    key: ['api-key', upstreamKey],
    model: 'our-chat',
    dialect: 'chat',
    body: { messages },
  },
  {
    name: 'Azure OpenAI, responses',
    base: '/openai/v1',
    path: '/openai/responses?api-version=2025-03-01-preview',
    sent: [['api-key', assayKey]],
    url: '/openai/responses?api-version=2025-03-01-preview',
    key: ['api-key', upstreamKey],
    model: 'm',
    dialect: 'responses',
    body: { model: 'm', input: 'x' },
  },
  {
    name: 'Azure OpenAI, version 1',
    base: '/openai/v1',
    path: '/openai/v1/chat/completions',
    sent: [['api-key', assayKey]],
    url: '/openai/v1/chat/completions',
    key: ['api-key', upstreamKey],
    model: 'm',
    dialect: 'chat',
    body: { model: 'm', messages },
  },
  {
    name: 'Azure OpenAI, embeddings',
    base: '/openai/v1',
    path: `${deployment}/embeddings?api-version=2024-10-21`,
    sent: [['api-key', assayKey]],
    url: `${deployment}/embeddings?api-version=2024-10-21`,
    key: ['api-key', upstreamKey],
    model: 'our-chat',
    dialect: 'embeddings',
    body: { input: 'x' },
  },
];

const keyNames = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

describe.each(sdks)('$name', (sdk) => {
  let proxy: TestProxy;
  beforeAll(async () => {
    proxy = await startProxy(`${upstream.origin}${sdk.base}`);
  });
  afterAll(() => proxy.close());

  const ask = (sent: Sdk['sent'], path = sdk.path): Promise<RawAnswer> =>
    sendRaw(proxy.port, {
      path: `/gateway/test${path}`,
      headers: [['content-type', 'application/json'], ...sent],
      body: JSON.stringify(sdk.body),
    });

  test('S-122 the Assay key in the provider’s place is replaced by the stored key', async () => {
    upstream.script(answerJson('{}'));
    const ended = proxy.nextEnd();
    expect((await ask(sdk.sent)).status).toBe(200);
    const [received] = upstream.requests;
    expect(received?.url).toBe(sdk.url);
    expect(keyNames.filter((name) => received?.headers[name] !== undefined)).toEqual([sdk.key[0]]);
    expect(received?.headers[sdk.key[0]]).toBe(sdk.key[1]);
    expect(JSON.stringify([received?.url, received?.rawHeaders])).not.toContain('asy_');
    await ended;
    const { dialect, model, path } = proxy.captured.at(-1)?.request() ?? {};
    expect({ dialect, model, path }).toEqual({
      dialect: sdk.dialect,
      model: sdk.model,
      path: sdk.url,
    });
  });

  test('S-122 the client’s own key in that place passes, with the Assay key in x-assay-key', async () => {
    upstream.script(answerJson('{}'));
    const own = sdk.sent.map(([name, value]): readonly [string, string] => [
      name,
      value.replace(assayKey, 'own-key-0001'),
    ]);
    const path = sdk.path.replace(assayKey, 'own-key-0001');
    expect((await ask([...own, ['x-assay-key', assayKey]], path)).status).toBe(200);
    const [received] = upstream.requests;
    const sent = JSON.stringify([received?.url, received?.rawHeaders]);
    expect(sent).toContain('own-key-0001');
    expect(sent).not.toContain(upstreamKey);
    expect(sent).not.toContain('asy_');
  });

  test('S-122 a stored key that the upstream repeats is masked', async () => {
    upstream.script(answerJson(`{"echo":"${upstreamKey}"}`));
    const { body } = await ask(sdk.sent);
    expect(body.toString()).toBe(`{"echo":"${'*'.repeat(upstreamKey.length)}"}`);
  });

  test('an error of the provider passes unchanged', async () => {
    upstream.script(({ response }) => void response.writeHead(429).end('{"error":"slow"}'));
    const answer = await ask(sdk.sent);
    expect([answer.status, answer.body.toString()]).toEqual([429, '{"error":"slow"}']);
  });

  test('without an Assay key the client gets an error in its own format', async () => {
    const answer = await ask([['x-api-key', 'own']], sdk.path.replace(assayKey, 'own'));
    const { error } = JSON.parse(answer.body.toString()) as { error: unknown };
    const isGoogle = sdk.key[0] === 'x-goog-api-key';
    const message: unknown = expect.stringMatching(/^No key\./);
    const inForm = isGoogle ? { code: 401, status: 'UNAUTHENTICATED', message } : { message };
    expect(answer.status).toBe(401);
    expect({ error }).toMatchObject({ error: sdk.dialect === 'ollama' ? message : inForm });
    expect(upstream.requests).toHaveLength(0);
  });
});

describe.each([
  ['gemini', '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', { contents }],
  ['ollama', '/api/chat', { model: 'llama3.2', messages }],
] as const)('%s streams', (dialect, path, body) => {
  let proxy: TestProxy;
  beforeAll(async () => {
    proxy = await startProxy(`${upstream.origin}/v1`);
  });
  afterAll(() => proxy.close());
  beforeEach(() => {
    proxy.set.settings({});
    proxy.set.shouldVerify(false);
    proxy.captured.length = 0;
  });

  const type = dialect === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
  const { before, pieces, after } = spokenPieces(dialect, 'web-1 is at 91.4%.');
  const stream = [...before, ...pieces, ...after];
  const ask = (): Promise<RawAnswer> =>
    sendRaw(proxy.port, {
      path: `/gateway/test${path}`,
      headers: [['x-api-key', assayKey]],
      body: JSON.stringify(body),
    });
  const headerOf = ({ headers }: RawAnswer, name: string): string | undefined =>
    headers.find(([each]) => each === name)?.[1];
  const withType = (chunks: readonly string[]) => answerStream(chunks, { 'content-type': type });

  test('R-61 an unverified stream passes byte for byte, and is recorded as one', async () => {
    upstream.script(withType(stream));
    const ended = proxy.nextEnd();
    const answer = await ask();
    expect([answer.body.toString(), headerOf(answer, 'content-type')]).toEqual([
      stream.join(''),
      type,
    ]);
    expect(headerOf(answer, 'x-assay-verdict')).toBe('not_verified');
    await ended;
    const [captured] = proxy.captured;
    expect([captured?.form, captured?.request().stream, captured?.partial]).toEqual([
      dialect === 'ollama' ? 'ndjson' : 'sse',
      true,
      false,
    ]);
  });

  test('QV-25 a held stream that passes has the upstream’s bytes and its outcome', async () => {
    proxy.set.settings({ quality_verifier: { model: 'openai:gpt-4o', frequency: 1 } });
    proxy.set.shouldVerify(true);
    upstream.script(withType(stream));
    const answer = await ask();
    const outcome = ': x-assay-verdict: passed; x-assay-verification: ver_1\n\n';
    // Lines of JSON have no comments: the outcome is in the headers.
    const [begin, comment] = dialect === 'ollama' ? ['', ''] : [': keep-alive\n\n', outcome];
    expect(answer.body.toString()).toBe([begin, ...before, ...pieces, comment, ...after].join(''));
    expect(headerOf(answer, 'x-assay-verdict')).toBe(dialect === 'ollama' ? 'passed' : undefined);
  });

  test('R-65 a held stream that breaks off is cut there, unverified', async () => {
    proxy.set.settings({ quality_verifier: { model: 'openai:gpt-4o', frequency: 1 } });
    proxy.set.shouldVerify(true);
    upstream.script(async ({ response, socket }) => {
      response.writeHead(200, { 'content-type': type });
      await new Promise((sent) => response.write([...before, ...pieces].join(''), sent));
      socket.destroy();
    });
    const ended = proxy.nextEnd();
    const answer = await ask();
    expect([answer.complete, answer.body.includes('91.4')]).toEqual([false, true]);
    await ended;
    expect(proxy.captured[0]?.partial).toBe(true);
  });

  test('S-122 a stored key is masked across the chunks of a stream', async () => {
    upstream.script(withType([upstreamKey.slice(0, 7), `${upstreamKey.slice(7)}\n\n`]));
    expect((await ask()).body.toString()).toBe(`${'*'.repeat(upstreamKey.length)}\n\n`);
  });

  test('R-68 a route that fails closed answers in the format of the API', async () => {
    const quality_verifier = { model: 'openai:gpt-4o', frequency: 1 };
    proxy.set.settings({ quality_verifier, fail_closed: true });
    proxy.set.shouldVerify(true);
    proxy.set.breaker(true);
    upstream.script(answerJson(spokenBody(dialect, 'x')));
    const answer = await ask();
    proxy.set.breaker(false);
    const { error } = JSON.parse(answer.body.toString()) as { error: unknown };
    const message: unknown = expect.stringContaining('not verified');
    expect([answer.status, error]).toEqual([
      503,
      dialect === 'ollama' ? message : { code: 503, status: 'UNAVAILABLE', message },
    ]);
  });
});

test('embeddings are never held, retried or verified, and their long answers are read at both ends', async () => {
  const proxy = await startProxy(`${upstream.origin}/v1`);
  try {
    proxy.set.settings({
      integrity: { mode: 'hold' },
      quality_verifier: { model: 'openai:gpt-4o', frequency: 1 },
      fail_closed: true,
    });
    proxy.set.shouldVerify(true);
    proxy.set.deps({ retryDelaysMs: [1, 1] });
    const vectors = Array.from({ length: 40_000 }, (_, n) => n / 3);
    const whole = JSON.stringify({
      data: [{ embedding: vectors }],
      model: 'e-2',
      usage: { prompt_tokens: 8 },
    });
    upstream.script(answerJson(whole));
    const ended = proxy.nextEnd();
    const ask = {
      path: '/gateway/test/v1/embeddings',
      headers: [['x-api-key', assayKey]] as const,
    };
    const answer = await sendRaw(proxy.port, { ...ask, body: '{"model":"e","input":"x"}' });
    expect(answer.body.toString()).toBe(whole);
    await ended;
    expect(proxy.buffered).toEqual([]);
    const [captured] = proxy.captured;
    expect(captured).toMatchObject({ truncated: false, units: 0 });
    expect(Buffer.concat([...(captured?.chunks ?? [])]).length).toBeLessThan(80_000);
    upstream.script(({ response }) => void response.writeHead(503).end());
    upstream.requests.length = 0;
    expect((await sendRaw(proxy.port, { ...ask, body: '{}' })).status).toBe(503);
    expect(upstream.requests).toHaveLength(1);
  } finally {
    await proxy.close();
  }
});
