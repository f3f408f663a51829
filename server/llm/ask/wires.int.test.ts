import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect } from 'vitest';
import { z } from 'zod';
import {
  canary,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import type { ScriptedCall, ScriptedFault, ScriptedLlm } from '../../../testing/scripted-llm';
import { timeFactor } from '../../../testing/time-factor';
import type { ProjectCtx } from '../../access';
import type { Ask, AskRequest, AskResult } from '../../domain';
import type { Runtime } from '../../runtime';
import { createProviderBook } from '../providers/provider-book';
import { putProvider } from '../providers/put';
import { createAsk } from './create-ask';
import { createEndpoints } from './endpoints';
import { processorMsSince } from '../../../testing/processor-time';

const schema = z.strictObject({ nonce: z.string(), score: z.number().min(0).max(1) });
const answer = '{"nonce":"n","score":0.7}';

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
let llm: ScriptedLlm;

/** The four kinds, each with a model and the path of its calls. */
const kinds = [
  { kind: 'openai', model: 'gpt-4o-mini', path: '/v1/chat/completions', auth: 'authorization' },
  {
    kind: 'anthropic',
    model: 'claude-3-5-haiku-20241022',
    path: '/v1/messages',
    auth: 'x-api-key',
  },
  {
    kind: 'google',
    model: 'gemini-2.5-flash',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    auth: 'x-goog-api-key',
  },
  {
    kind: 'openai_compatible',
    model: 'llama3:8b',
    path: '/v1/chat/completions',
    auth: 'authorization',
  },
] as const;
type Kind = (typeof kinds)[number];

test.beforeAll(
  async ({ llm: ownLlm, database: ownDatabase, runtime: ownRuntime, project: ownProject }) => {
    llm = ownLlm;
    database = ownDatabase;
    runtime = ownRuntime;
    project = ownProject;
    for (const { kind, model } of kinds) {
      const base_url = kind === 'google' ? `${llm.origin}/v1beta` : llm.baseUrl;
      await putProvider(project, nameOf(kind), {
        kind,
        base_url,
        api_key: canary,
        models: [model],
        enabled: true,
      });
    }
  },
);

afterEach(async () => {
  llm.answerWith(null);
  await project.sql`delete from llm_calls where project_id = ${project.projectId}`;
});

const nameOf = (kind: Kind['kind']): string => (kind === 'openai_compatible' ? 'ollama' : kind);

/**
 * Each `Ask` has its own rate limits, so that no test waits because of the failures of another one.
 * The clock skips the waits between retries.
 */
function newAsk(): Ask {
  let now = 0;
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() + now };
  const wait = async (ms: number) => {
    now += ms;
  };
  return createAsk(
    { ...runtime.ctx, clock },
    {
      ...runtime.asking,
      endpoints: createEndpoints({ clock, wait }),
      // Tests edit rows by hand.
      providers: createProviderBook(runtime.ctx),
    },
    {
      projectId: project.projectId,
      verdictId: 'ver_1',
    },
  );
}

function question(kind: Kind, more: Partial<AskRequest> = {}): AskRequest {
  return {
    model: `${nameOf(kind.kind)}:${kind.model}`,
    system: 'You judge.',
    messages: [{ role: 'user', content: 'Judge this.' }],
    reply: { name: 'judgement', schema },
    maxOutputTokens: 500,
    deadlineMs: 30_000,
    signal: new AbortController().signal,
    purpose: 'rubric',
    promptVersion: 'task-rubric@2',
    ...more,
  };
}

function askFault(
  kind: Kind,
  fault: ScriptedFault,
  more: Partial<AskRequest> = {},
): Promise<AskResult> {
  llm.answerWith(() => ({ fault }));
  return newAsk()(question(kind, more));
}

const lastCall = (): ScriptedCall => {
  const call = llm.calls.at(-1);
  if (call === undefined) throw new Error('nobody called');
  return call;
};

const records = () =>
  project.sql<
    Record<string, unknown>[]
  >`select * from llm_calls where project_id = ${project.projectId} order by id`;

test.each(kinds)(
  'R-53 S-37 $kind is called through its own interface, without tools, and its text is returned as received',
  async (kind) => {
    llm.queue({ text: answer, usage: { input: 1000, output: 200 } });
    const result = await newAsk()(question(kind));
    expect(result).toMatchObject({ state: 'answered', text: answer });
    const { path, headers, body } = lastCall();
    expect(path).toBe(kind.path);
    expect(headers[kind.auth]).toContain(canary);
    expect(headers['accept-encoding']).toBe('identity');
    expect(body.stream).not.toBe(true);
    // Anthropic's older models are made to answer through a tool of that form.
    const tools = (body.tools ?? []) as readonly { readonly name: string }[];
    expect(tools.filter(({ name }) => name !== 'json')).toEqual([]);
  },
);

test('R-53 OpenAI receives the schema, strict if possible, and temperature 0', async () => {
  llm.queue({ text: answer }, { text: answer });
  await newAsk()(question(kinds[0]));
  expect(lastCall().body).toMatchObject({
    model: 'gpt-4o-mini',
    temperature: 0,
    messages: [
      { role: 'system', content: 'You judge.' },
      { role: 'user', content: 'Judge this.' },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'judgement',
        strict: true,
        schema: { type: 'object', required: ['nonce', 'score'], additionalProperties: false },
      },
    },
  });
  const loose = z.object({ note: z.string().optional() });
  await newAsk()(
    question(kinds[0], {
      model: 'openai:gpt-4o-mini?temperature=0.3',
      reply: { name: 'loose', schema: loose },
    }),
  );
  expect(lastCall().body).toMatchObject({
    temperature: 0.3,
    response_format: { json_schema: { strict: false } },
  });
});

test('R-53 Anthropic answers through the tool "json" on older models, by output_config on newer ones', async () => {
  llm.queue({ text: answer }, { text: answer });
  expect(await newAsk()(question(kinds[1]))).toMatchObject({ state: 'answered', text: answer });
  expect(lastCall().body).toMatchObject({
    system: [{ type: 'text', text: 'You judge.' }],
    tools: [{ name: 'json', input_schema: { required: ['nonce', 'score'] } }],
    max_tokens: 500,
  });
  expect(
    await newAsk()(question(kinds[1], { model: 'anthropic:claude-sonnet-4-5' })),
  ).toMatchObject({ state: 'answered', text: answer });
  expect(lastCall().body).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
});

test('R-53 Anthropic’s tool call is read character by character: a duplicate key and 1e309 reach the judge, which refuses them', async () => {
  const odd = '{"nonce":"n", "score":0.1, "score":1e309}';
  llm.queue({ text: odd });
  expect(await newAsk()(question(kinds[1]))).toMatchObject({ state: 'answered', text: odd });
});

test('R-53 Gemini receives a response schema, a compatible server plain JSON mode, or nothing', async () => {
  llm.queue({ text: answer }, { text: answer }, { text: answer });
  await newAsk()(question(kinds[2]));
  expect(lastCall().body).toMatchObject({
    generationConfig: {
      responseMimeType: 'application/json',
      temperature: 0,
      responseSchema: { type: 'object' },
    },
    systemInstruction: { parts: [{ text: 'You judge.' }] },
  });
  await newAsk()(question(kinds[3]));
  expect(lastCall().body).toMatchObject({
    model: 'llama3:8b',
    response_format: { type: 'json_object' },
  });
  await newAsk()(question(kinds[3], { model: 'ollama:llama3:8b?format=none' }));
  expect(lastCall().body.response_format).toBeUndefined();
});

test('R-53 a compatible server that refuses JSON mode is called once more without it; any other refusal is final', async () => {
  const refusal = {
    fault: { kind: 'status', status: 400, body: '{"error":"response_format.type must be text"}' },
  } as const;
  llm.queue(refusal, { text: answer });
  expect(await newAsk()(question(kinds[3]))).toMatchObject({
    state: 'answered',
    text: answer,
    usage: { calls: 2 },
  });
  expect(lastCall().body.response_format).toBeUndefined();
  llm.queue(refusal, refusal);
  expect(await newAsk()(question(kinds[3]))).toMatchObject({
    errorClass: 'refused',
    usage: { calls: 2 },
  });
  llm.queue(refusal);
  expect(await newAsk()(question(kinds[0]))).toMatchObject({
    errorClass: 'refused',
    usage: { calls: 1 },
  });
});

test.each(kinds)(
  'X-11 R-58 $kind: tokens and cost of the answer, and one record per call with its raw reply',
  async (kind) => {
    llm.queue({ text: answer, usage: { input: 1_000_000, output: 100_000 } });
    const { usage } = await newAsk()(question(kind));
    const cost = { openai: 0.21, anthropic: 1.2, google: 0.55, openai_compatible: null }[kind.kind];
    expect(usage).toMatchObject({
      provider: nameOf(kind.kind),
      model: kind.model,
      inputTokens: 1_000_000,
      outputTokens: 100_000,
      calls: 1,
    });
    expect(usage.costUsd).toEqual(cost);
    expect(await records()).toEqual([
      expect.objectContaining({
        verdict_id: 'ver_1',
        purpose: 'rubric',
        prompt_version: 'task-rubric@2',
        provider: nameOf(kind.kind),
        model: kind.model,
        state: 'answered',
        attempt: 1,
        status: 200,
        input_tokens: 1_000_000,
        output_tokens: 100_000,
        reply: answer,
        error_class: null,
      }),
    ]);
  },
);

test('X-11 a project’s own price overrides the list price, and prices unlisted models', async () => {
  const own = { usd_per_million: { input: 1, output: 10 } };
  for (const { kind, model } of kinds) {
    const base_url = kind === 'google' ? `${llm.origin}/v1beta` : llm.baseUrl;
    await putProvider(project, `priced-${kind.replaceAll('_', '-')}`, {
      kind,
      base_url,
      api_key: canary,
      models: [model],
      enabled: true,
      prices: [{ model, ...own }],
    });
    llm.queue({ text: answer, usage: { input: 1_000_000, output: 100_000 } });
    const { usage } = await newAsk()({
      ...question({ kind, model } as (typeof kinds)[number]),
      model: `priced-${kind.replaceAll('_', '-')}:${model}`,
    });
    expect(usage.costUsd, kind).toBe(2);
  }
});

test.each(kinds)(
  'R-50 $kind: a provider that never answers is abandoned at the deadline, and its connection is closed',
  async (kind) => {
    llm.answerWith(() => ({ fault: { kind: 'hang' } }));
    const result = await newAsk()(question(kind, { deadlineMs: 400 }));
    expect(result).toMatchObject({ state: 'failed', errorClass: 'timeout' });
    expect(result.usage.latencyMs).toBeLessThan(timeFactor * 1500);
    await lastCall().closed;
    expect(await records()).toEqual([
      expect.objectContaining({ state: 'failed', error_class: 'timeout', reply: null, attempt: 1 }),
    ]);
  },
);

test('R-50 an aborted question ends at once', async () => {
  llm.answerWith(() => ({ fault: { kind: 'hang' } }));
  const asker = new AbortController();
  const asked = newAsk()(question(kinds[0], { signal: asker.signal }));
  const call = await llm.nextCall();
  asker.abort();
  expect(await asked).toMatchObject({ state: 'failed', errorClass: 'aborted' });
  await call.closed;
});

test.each(kinds)(
  'R-52 $kind: 5xx is retried, three calls in total, and then fails',
  async (kind) => {
    const before = llm.calls.length;
    const result = await askFault(kind, { kind: 'status', status: 503 });
    expect(result).toMatchObject({
      state: 'failed',
      errorClass: 'overloaded',
      message: expect.stringContaining('503'),
      usage: { calls: 3, costUsd: 0 },
    });
    expect(llm.calls.length - before).toBe(3);
    expect((await records()).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 503],
    ]);
  },
);

test.each(kinds)('R-51 $kind: 429 followed by an answer counts as an answer', async (kind) => {
  llm.queue(
    { fault: { kind: 'status', status: 429, headers: { 'retry-after': '2' } } },
    { text: answer },
  );
  expect(await newAsk()(question(kind))).toMatchObject({
    state: 'answered',
    text: answer,
    usage: { calls: 2 },
  });
});

test.each([
  ['40', 40_000],
  ['1000000000', 60_000],
  [new Date(Date.now() + 3_600_000).toUTCString(), 60_000],
])(
  'R-51 Retry-After "%s" beyond the deadline is not waited for: it is reported to the caller, which parks the job',
  async (value, atLeastMs) => {
    const result = await askFault(kinds[0], {
      kind: 'status',
      status: 429,
      headers: { 'retry-after': value },
    });
    expect(result).toMatchObject({
      state: 'failed',
      errorClass: 'rate_limited',
      usage: { calls: 1 },
    });
    expect(result.state === 'failed' && result.retryAfterMs).toBeGreaterThanOrEqual(
      atLeastMs - 2000,
    );
  },
);

test.each(['abc', '-5', '', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'R-51 Retry-After "%s" is ignored',
  async (value) => {
    const result = await askFault(kinds[0], {
      kind: 'status',
      status: 429,
      headers: { 'retry-after': value },
    });
    expect(result).toMatchObject({ errorClass: 'rate_limited', usage: { calls: 3 } });
  },
);

test.each(kinds)(
  'R-53 $kind: a malformed reply is a bad reply, without retry, and its beginning is stored',
  async (kind) => {
    const bodies = [
      '<html>Bad gateway</html>',
      '',
      '{"id":',
      'null',
      '[]',
      '{}',
      '{"choices":[{"message":{}}',
      ' '.repeat(900_000),
      'a\u0000b',
    ];
    for (const body of bodies) {
      const result = await askFault(kind, { kind: 'garbage', body });
      expect(result, body.slice(0, 30)).toMatchObject({ usage: { calls: 1 } });
      expect(result.state === 'failed' ? result.errorClass : result.text).toBe(
        result.state === 'failed' ? 'bad_reply' : '',
      );
    }
    for (const { reply } of await records())
      expect(Buffer.byteLength(String(reply))).toBeLessThanOrEqual(8192);
  },
);

test('R-53 a well-formed judge reply is returned unchanged, whatever it contains: the judge parses it', async () => {
  const texts = [
    '5/5',
    '101',
    '-1',
    '{"score":1e309}',
    '"NaN"',
    'null',
    '[]',
    '{"score":1}{"score":0}',
    `${' '.repeat(900_000)}x`,
    'a\u0000b\ud800c',
  ];
  for (const kind of [kinds[0], kinds[2], kinds[3]]) {
    for (const text of texts) {
      llm.queue({ text });
      expect(await newAsk()(question(kind)), text.slice(0, 20)).toMatchObject({
        state: 'answered',
        text,
      });
    }
  }
  for (const { reply } of await records())
    expect(Buffer.byteLength(String(reply))).toBeLessThanOrEqual(8192);
});

test('S-37 a reply that calls tools has no text', async () => {
  for (const kind of [kinds[0], kinds[2], kinds[3]]) {
    llm.queue({ toolCalls: [{ id: 'call_1', name: 'delete_all', arguments: '{}' }] });
    expect(await newAsk()(question(kind))).toMatchObject({ state: 'answered', text: '' });
  }
});

test.each(kinds)(
  'R-54 $kind: a drip, an endless stream and 500 MB are cut off, within 8 MiB of memory',
  async (kind) => {
    await askFault(kind, { kind: 'huge', bytes: 2 * 1024 * 1024 });
    const heldBefore = heldBytes();
    const watch = watchPeak();
    expect(await askFault(kind, { kind: 'huge', bytes: 500 * 1024 * 1024 })).toMatchObject({
      errorClass: 'too_large',
      usage: { calls: 1 },
    });
    await lastCall().closed;
    expect(await askFault(kind, { kind: 'endless' })).toMatchObject({ errorClass: 'too_large' });
    await lastCall().closed;
    const dripped = await askFault(kind, { kind: 'drip', everyMs: 20 }, { deadlineMs: 500 });
    expect(dripped).toMatchObject({ errorClass: 'timeout' });
    expect(dripped.usage.latencyMs).toBeLessThan(timeFactor * 1500);
    await lastCall().closed;
    expect(watch.stop()).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(heldBytes() - heldBefore).toBeLessThanOrEqual(8 * 1024 * 1024);
  },
);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory that the process still uses after a garbage collection: heap and buffers. */
function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The growth of buffers, including those of the scripted provider in the same process. */
function watchPeak(): { stop: () => number } {
  const before = process.memoryUsage().external;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().external);
  }, 1);
  return {
    stop: () => {
      clearInterval(timer);
      return peak - before;
    },
  };
}

test.each(kinds)(
  'R-55 $kind: a compressed reply is refused without being unpacked',
  async (kind) => {
    for (const fault of [
      { kind: 'bomb', coding: 'br' },
      { kind: 'bomb', coding: 'gzip' },
      { kind: 'codings', count: 5000 },
    ] as const) {
      await askFault(kind, fault);
      const began = process.cpuUsage();
      const result = await askFault(kind, fault);
      expect(result).toMatchObject({ state: 'failed', errorClass: 'refused', usage: { calls: 1 } });
      expect(processorMsSince(began)).toBeLessThan(1_000);
    }
  },
);

test.each(kinds)(
  'R-56 $kind: broken HTTP is "unreachable" and retried, and has no side effects',
  async (kind) => {
    const faults: readonly ScriptedFault[] = [
      { kind: 'reset' },
      { kind: 'early_close' },
      { kind: 'bad_chunk' },
      { kind: 'huge_headers', bytes: 1024 * 1024 },
      { kind: 'not_http' },
    ];
    for (const fault of faults) {
      expect(await askFault(kind, fault), fault.kind).toMatchObject({
        state: 'failed',
        errorClass: 'unreachable',
        usage: { calls: 3 },
      });
    }
    llm.queue({ text: answer });
    expect(await newAsk()(question(kind))).toMatchObject({ state: 'answered' });
  },
);

test('R-56 TLS to a plain server, and a closed port, are "unreachable"', async () => {
  const { host } = new URL(llm.origin);
  await putProvider(project, 'tls', {
    kind: 'openai',
    base_url: `https://${host}/v1`,
    api_key: canary,
    models: [],
    enabled: true,
  });
  const result = await newAsk()(question(kinds[0], { model: 'tls:gpt-4o' }));
  expect(result).toMatchObject({ errorClass: 'unreachable' });
  await project.sql`delete from providers where project_id = ${project.projectId} and name = 'tls'`;
});

test.each([301, 302, 307, 308])(
  'S-43 a redirect (%i) is not followed, and is no answer',
  async (status) => {
    const before = llm.calls.length;
    const result = await askFault(kinds[0], {
      kind: 'status',
      status,
      headers: { location: `${llm.origin}/v1/chat/completions` },
    });
    expect(result).toMatchObject({ errorClass: 'refused', usage: { calls: 1 } });
    expect(llm.calls.length - before).toBe(1);
  },
);

test.each([
  [400, 'refused'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'refused'],
  [408, 'overloaded'],
  [422, 'refused'],
  [529, 'overloaded'],
])('R-52 status %i is "%s"', async (status, errorClass) => {
  for (const kind of kinds)
    expect(await askFault(kind, { kind: 'status', status })).toMatchObject({
      state: 'failed',
      errorClass,
    });
});

test('S-101 no key appears in an error, a record or an answer, even if the provider repeats it', async () => {
  const body = JSON.stringify({
    error: { message: `Incorrect API key provided: ${canary}. See Bearer ${canary}` },
  });
  for (const kind of kinds) {
    const result = await askFault(kind, { kind: 'status', status: 401, body });
    expect(JSON.stringify(result)).not.toContain(canary);
    llm.queue({ text: `the key is ${canary}` });
    expect(JSON.stringify(await newAsk()(question(kind)))).not.toContain(canary);
  }
  expect(JSON.stringify(await records())).not.toContain('5ecret');
});

test('S-40 S-48 a private address that the operator does not list is not called, even if a row contains it', async () => {
  const closed = createTestRuntime(database.url);
  try {
    const before = llm.calls.length;
    const ask = createAsk(
      closed.ctx,
      { ...closed.asking, endpoints: createEndpoints(closed.ctx) },
      {
        projectId: project.projectId,
        verdictId: null,
      },
    );
    expect(await ask(question(kinds[0]))).toMatchObject({ state: 'failed', errorClass: 'refused' });
    expect(llm.calls.length).toBe(before);
  } finally {
    await closed.close();
  }
});

test('S-45 a key is not sent to another origin, even if the row was edited by hand', async () => {
  await project.sql`update providers set base_url = ${`http://localhost:${new URL(llm.origin).port}/v1`} where project_id = ${project.projectId} and name = 'openai'`;
  const before = llm.calls.length;
  expect(await newAsk()(question(kinds[0]))).toMatchObject({
    state: 'failed',
    errorClass: 'unauthorized',
    usage: { calls: 0 },
  });
  expect(llm.calls.length).toBe(before);
  await project.sql`update providers set base_url = ${llm.baseUrl} where project_id = ${project.projectId} and name = 'openai'`;
});

test.each([
  ['nobody:gpt-4o', 'no_provider'],
  ['acme-large', 'no_provider'],
  ['openai:../../admin', 'refused'],
  ['openai:a\r\nx-evil: 1', 'refused'],
  ['openai:gpt-4o?temperature=hot', 'refused'],
])('S-46 S-49 the spec "%s" is "%s", and no call is made', async (model, errorClass) => {
  const before = llm.calls.length;
  expect(await newAsk()(question(kinds[0], { model }))).toMatchObject({
    state: 'failed',
    errorClass,
    usage: { calls: 0, costUsd: 0 },
  });
  expect(llm.calls.length).toBe(before);
});

test('QV-37 a spec without a provider goes to the first that lists the model, in any spelling; a kind may serve as name', async () => {
  for (const model of ['llama3:8b', 'Meta-Llama-3-8B-Instruct', 'openai_compatible:llama3:8b']) {
    llm.queue({ text: answer });
    expect(await newAsk()(question(kinds[0], { model })), model).toMatchObject({
      state: 'answered',
      usage: { provider: 'ollama' },
    });
  }
});

test('X-3 without any provider no call is made, and the error says so', async () => {
  const empty = await createTestProject(runtime);
  const ask = createAsk(
    runtime.ctx,
    { ...runtime.asking, endpoints: createEndpoints(runtime.ctx) },
    {
      projectId: empty.projectId,
      verdictId: null,
    },
  );
  expect(await ask(question(kinds[0]))).toMatchObject({
    state: 'failed',
    errorClass: 'no_provider',
    message: 'no provider configured',
  });
});
