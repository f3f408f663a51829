import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type MockUpstream,
  startMockUpstream,
  type ReceivedRequest,
  type UpstreamScript,
} from '../../../testing/mock-upstream';
import { type RawAnswer, sendRaw } from '../../../testing/raw-answer';
import { systemClock } from '../../platform';
import { createForward, type Forward } from './forward';
import { defaultUpstreamLimits } from './upstreams';
import { testDeps } from '../verify/verify-fixture';
import { createPrepareCall, mayPrepare } from '../verify/prepare-call';
import { createFinishAnswer } from '../verify/finish-answer';
import { createShapeRefusals } from '../verify/shape-refusals';
import { assayKey, type TestProxy, startProxy } from './proxy-fixture';
import { spokenBody, spokenPieces } from './speaking-fixture';

// Buffered calls with real preparation, forwarding and verification; only the upstream is scripted,
// with different faults.

let upstream: MockUpstream;
let proxy: TestProxy;
let forward: Forward;

beforeAll(async () => {
  upstream = await startMockUpstream(({ response }) => void response.writeHead(500).end());
  proxy = await startProxy(`${upstream.origin}/v1`);
  forward = createForward(
    { allow: new Set([new URL(upstream.origin).host]) },
    defaultUpstreamLimits,
  );
});

afterAll(async () => {
  await proxy.close();
  await forward.close();
  await upstream.close();
});

const hold = { integrity: { mode: 'hold', deadline_ms: 60_000 } };

beforeEach(() => {
  upstream.requests.length = 0;
  proxy.captured.length = 0;
  proxy.set.settings(hold);
  proxy.set.shouldVerify(false);
  const shapes = createShapeRefusals();
  const { deps } = testDeps({ callUpstream: (request) => forward.callUpstream(request) });
  const prepare = createPrepareCall({ ...deps, readAhead: () => undefined, shapes });
  proxy.set.deps({
    mayPrepare,
    prepare,
    shapes,
    finishAnswer: createFinishAnswer(deps),
    retryDelaysMs: [1, 2, 4, 8],
  });
});

const paths = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-flash:generateContent',
  ollama: '/api/chat',
} as const;
type Verified = keyof typeof paths;
const disk = '{"rows":[{"host":"web-1","disk_pct":91.4}]}';
const question = { role: 'user', content: 'How full is web-1?' };

/** A question, the call of a tool and its result. */
const conversations = {
  chat: {
    model: 'gpt-4o',
    messages: [
      question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'tc1', type: 'function', function: { name: 'disk', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'tc1', content: disk },
    ],
  },
  responses: {
    model: 'gpt-4o',
    input: [
      question,
      { type: 'function_call', call_id: 'tc1', name: 'disk', arguments: '{}' },
      { type: 'function_call_output', call_id: 'tc1', output: disk },
    ],
  },
  messages: {
    model: 'claude-sonnet-4-5',
    max_tokens: 500,
    messages: [
      question,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'tc1', name: 'disk', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'tc1', content: disk }] },
    ],
  },
  gemini: {
    contents: [
      { role: 'user', parts: [{ text: question.content }] },
      { role: 'model', parts: [{ functionCall: { id: 'tc1', name: 'disk', args: {} } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'tc1', name: 'disk', response: JSON.parse(disk) as object } },
        ],
      },
    ],
  },
  ollama: {
    model: 'llama3.2',
    stream: false,
    messages: [
      question,
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'tc1', function: { name: 'disk', arguments: {} } }],
      },
      { role: 'tool', tool_name: 'disk', tool_call_id: 'tc1', content: disk },
    ],
  },
} as const;

const answer = 'web-1 is at 91.4%.';
const envelope = JSON.stringify({
  answer,
  facts: [{ value: '91.4%', source_id: 'tc1', path: 'rows[0].disk_pct' }],
});

interface Way {
  readonly dialect: Verified;
  readonly stream: boolean;
}
const ways: readonly Way[] = (
  ['chat', 'responses', 'messages', 'gemini', 'ollama'] as const
).flatMap((dialect) => [false, true].map((stream) => ({ dialect, stream })));

const pathOf = ({ dialect, stream }: Way): string =>
  dialect === 'gemini' && stream
    ? `${paths[dialect].replace('generate', 'streamGenerate')}?alt=sse`
    : paths[dialect];
const typeOf = ({ dialect, stream }: Way): string =>
  !stream
    ? 'application/json'
    : dialect === 'ollama'
      ? 'application/x-ndjson'
      : 'text/event-stream';

const ask = (way: Way): Promise<RawAnswer> =>
  sendRaw(proxy.port, {
    path: `/gateway/test${pathOf(way)}`,
    headers: [['authorization', `Bearer ${assayKey}`]],
    body: JSON.stringify({
      ...conversations[way.dialect],
      ...(way.stream && way.dialect !== 'gemini' && { stream: true }),
    }),
  });

/** Whether a request received by the upstream has a response schema. */
const asksShape = ({ body }: ReceivedRequest): boolean =>
  /"(?:response_format|format|responseJsonSchema|tool_choice)":/.test(body.toString());
const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

/** Formats a text in the dialect; in Anthropic's it is a tool's input if that was requested. */
const answerWith =
  ({ dialect, stream }: Way, text: string): UpstreamScript =>
  ({ response, body }) => {
    const asTool =
      dialect === 'messages' && body.includes('deliver_answer') && (stream || isJson(text));
    response.writeHead(200, { 'content-type': typeOf({ dialect, stream }) });
    const { before, pieces, after } = spokenPieces(dialect, text, asTool);
    response.end(
      stream ? [...before, ...pieces, ...after].join('') : spokenBody(dialect, text, asTool),
    );
  };

const verdictOf = ({ headers, body }: RawAnswer): string | undefined =>
  headers.find(([name]) => name === 'x-assay-verdict')?.[1] ??
  /^: x-assay-verdict: (\w+)/m.exec(body.toString())?.[1];
/** A piece of an envelope, however often it was escaped. */
const isRaw = ({ body }: RawAnswer): boolean =>
  /\\*"(?:facts|source_id)\\*"|\{\s*\\*"answer|input_json_delta|deliver_answer/.test(
    body.toString(),
  );

describe.each(ways)('$dialect, streamed: $stream', (way) => {
  test('INT-3 a complete envelope is unwrapped and passes', async () => {
    upstream.script(answerWith(way, envelope));
    const got = await ask(way);
    expect([
      verdictOf(got),
      isRaw(got),
      got.body.includes('91.4%'),
      upstream.requests.length,
    ]).toEqual(['passed', false, true, 1]);
    expect(upstream.requests.map(asksShape)).toEqual([true]);
  });

  test.each([
    [400, "Unknown parameter: 'response_format'."],
    [
      400,
      "Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.",
    ],
    [422, '{"detail":[{"loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]}'],
    [400, 'tool_choice: this model does not support tools'],
    [400, 'unsupported'],
  ])(
    'INT-17 an upstream that rejects the schema with %i is called once more without it, and that is remembered: %s',
    async (status, why) => {
      upstream.script((request) =>
        asksShape(request)
          ? void request.response.writeHead(status).end(why)
          : answerWith(way, answer)(request),
      );
      const first = await ask(way);
      expect([first.status, verdictOf(first), first.body.includes('91.4%')]).toEqual([
        200,
        'passed',
        true,
      ]);
      expect(upstream.requests.map(asksShape)).toEqual([true, false]);
      const second = await ask(way);
      expect([second.status, verdictOf(second)]).toEqual([200, 'passed']);
      expect(upstream.requests.map(asksShape)).toEqual([true, false, false]);
    },
  );

  test('INT-9 INT-17 an error that is not about the schema passes at once; one that persists passes and is not remembered', async () => {
    const no =
      (status: number, why: string): UpstreamScript =>
      ({ response }) =>
        void response.writeHead(status, { 'x-own': 'yes' }).end(why);
    for (const status of [400, 401, 403, 404, 409, 413, 422]) {
      upstream.requests.length = 0;
      upstream.script(no(status, 'the context is too long'));
      const got = await ask(way);
      expect([got.status, got.body.toString(), upstream.requests.length]).toEqual([
        status,
        'the context is too long',
        1,
      ]);
      expect(got.headers).toContainEqual(['x-own', 'yes']);
    }
    upstream.requests.length = 0;
    upstream.script(no(400, 'unsupported model'));
    expect([(await ask(way)).status, upstream.requests.map(asksShape)]).toEqual([
      400,
      [true, false],
    ]);
    await ask(way);
    expect(upstream.requests.map(asksShape)).toEqual([true, false, true, false]);
  });

  test.each([
    ['cut within the facts', envelope.slice(0, -30)],
    ['cut within the answer', envelope.slice(0, 20)],
    ['cut before the answer', envelope.slice(0, 6)],
    ['without facts', JSON.stringify({ answer })],
    ['facts of another type', JSON.stringify({ answer, facts: 'none' })],
    ['a comma too many', envelope.replace(/\}$/, ',}')],
    ['text before it', `Here: ${envelope}`],
    ['in a string', JSON.stringify(envelope)],
    ['an answer of another type', '{"answer":91.4,"facts":[]}'],
    ['an object of another kind, cut', '{"reply":"web-1 is'],
  ])('INT-6 a malformed envelope is neither delivered raw nor passed: %s', async (_what, text) => {
    upstream.script(answerWith(way, text));
    const got = await ask(way);
    expect(isRaw(got)).toBe(false);
    expect(['flagged', 'unavailable']).toContain(verdictOf(got));
    expect(upstream.requests.length).toBeLessThanOrEqual(2);
  });

  test('INT-6 INT-7 a truncated envelope is requested once more as a plain answer', async () => {
    upstream.script((request) =>
      answerWith(way, asksShape(request) ? envelope.slice(0, 25) : answer)(request),
    );
    const got = await ask(way);
    expect([verdictOf(got), isRaw(got), got.body.includes('91.4%')]).toEqual([
      'passed',
      false,
      true,
    ]);
    expect(upstream.requests.map(asksShape)).toEqual([true, false]);
  });

  test('INT-6 R-68 without readable text the client gets an error in its own format', async () => {
    upstream.script(answerWith(way, '{"facts":[]}'));
    const got = await ask(way);
    const hasHead = way.stream && way.dialect !== 'ollama';
    expect([got.status, verdictOf(got)]).toEqual([hasHead ? 200 : 502, 'unavailable']);
    expect(got.body.toString()).toContain('cut off or malformed');
  });

  test('R-65 no piece of an envelope is delivered if the upstream breaks off within it', async () => {
    const asTool = way.dialect === 'messages';
    const { before, pieces } = spokenPieces(way.dialect, envelope, asTool);
    const whole = spokenBody(way.dialect, envelope, asTool);
    for (const share of [0.5, 0.8, 0.95]) {
      upstream.script(async ({ response, socket }) => {
        const text = way.stream ? [...before, ...pieces].join('') : whole;
        response.writeHead(200, { 'content-type': typeOf(way) });
        await new Promise((sent) =>
          response.write(text.slice(0, Math.floor(text.length * share)), sent),
        );
        socket.destroy();
      });
      const got = await ask(way);
      expect([isRaw(got), verdictOf(got) === 'passed']).toEqual([false, false]);
    }
  });

  test('INT-9 a pause that the upstream asks for is observed; beyond a minute its answer is passed on', async () => {
    const limited = (headers: Record<string, string>): UpstreamScript => {
      let calls = 0;
      return (request) =>
        calls++ === 0
          ? void request.response.writeHead(429, headers).end('slow')
          : answerWith(way, envelope)(request);
    };
    // The pauses of the route are an hour: the call can finish only by the pause that the upstream
    // requests.
    proxy.set.settings({ ...hold, total_seconds: 3_600 });
    const hours = testHours();
    for (const header of ['0.02', new Date(noon.getTime() + 1_000).toUTCString()]) {
      upstream.script(limited({ 'retry-after': header }));
      hours();
      expect([(await ask(way)).status, upstream.requests.length]).toEqual([200, 2]);
      upstream.requests.length = 0;
    }
    upstream.script(limited({ 'retry-after': '61' }));
    const got = await ask(way);
    expect([got.status, got.body.toString(), upstream.requests.length]).toEqual([429, 'slow', 1]);
  });
});

const noon = new Date('2026-11-25T12:00:00Z');
const clock = { ...systemClock, now: () => noon };

/** Pauses longer than a test. */
function testHours(): () => void {
  const { deps } = testDeps({ callUpstream: (request) => forward.callUpstream(request) });
  const shapes = createShapeRefusals();
  const prepare = createPrepareCall({ ...deps, readAhead: () => undefined, shapes });
  return () =>
    proxy.set.deps({
      mayPrepare,
      prepare,
      shapes,
      finishAnswer: createFinishAnswer(deps),
      retryDelaysMs: [3_500_000],
      clock,
    });
}

describe.each(ways.filter(({ stream }) => stream))(
  '$dialect, a stream that is slow to begin',
  (way) => {
    const ping = way.dialect === 'ollama' ? [] : [': ping\n\n'];
    /** Sends everything before the first token, waits past the deadline, then sends the rest. */
    const slowly =
      (text: string, first: readonly string[]): UpstreamScript =>
      async ({ response }) => {
        const asTool = way.dialect === 'messages' && text === envelope;
        const { before, pieces, after } = spokenPieces(way.dialect, text, asTool);
        response.writeHead(200, { 'content-type': typeOf(way) });
        response.write([...first, ...before].join(''));
        await new Promise((go) => setTimeout(go, 150));
        response.end([...pieces, ...after].join(''));
      };

    test('first_token_seconds counts to the first token, not to a comment, a ping or a role', async () => {
      proxy.set.settings({ ...hold, first_token_seconds: 0.05 });
      for (const [text, first] of [
        [answer, ping],
        [answer, []],
        [envelope, ping],
      ] as const) {
        upstream.script(slowly(text, first));
        const got = await ask(way);
        expect([verdictOf(got), isRaw(got), got.body.includes('91.4%')]).toEqual([
          'unavailable',
          false,
          true,
        ]);
      }
      proxy.set.settings({ ...hold, first_token_seconds: 30 });
      upstream.script(slowly(answer, ping));
      expect(verdictOf(await ask(way))).toBe('passed');
    });

    test('R-62 at the total deadline an envelope is delivered once complete, unverified and never raw', async () => {
      proxy.set.settings({ ...hold, total_seconds: 0.05 });
      upstream.script(async ({ response }) => {
        const { before, pieces, after } = spokenPieces(
          way.dialect,
          envelope,
          way.dialect === 'messages',
        );
        response.writeHead(200, { 'content-type': typeOf(way) });
        response.write([...before, ...pieces.slice(0, 2)].join(''));
        await new Promise((go) => setTimeout(go, 150));
        response.end([...pieces.slice(2), ...after].join(''));
      });
      const got = await ask(way);
      expect([verdictOf(got), isRaw(got), got.body.includes('91.4%')]).toEqual([
        'unavailable',
        false,
        true,
      ]);
    });
  },
);

test('INT-16 the list of sources is added to rewritten answers, unless the route turns it off', async () => {
  for (const way of ways) {
    upstream.script(answerWith(way, envelope));
    proxy.set.settings(hold);
    expect((await ask(way)).body.includes('Sources:')).toBe(true);
    proxy.set.settings({ integrity: { ...hold.integrity, sources_footer: false } });
    const without = await ask(way);
    expect([
      without.body.includes('Sources:'),
      without.body.includes('91.4%'),
      verdictOf(without),
    ]).toEqual([false, true, 'passed']);
  }
});
