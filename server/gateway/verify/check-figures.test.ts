import { describe, expect, test } from 'vitest';
import type { GatewayDialect } from '../../domain';
import { dialectOf, readChunks } from '../dialects/dialects';
import type { CallUpstream, ExchangeRequest, GatewayRoute, BufferedAnswer } from '../exchange';
import type { VerificationDeps } from './deps';
import { readEnvelopeRequest, envelopeRule } from './envelope-request';
import {
  chatAnswer,
  stillConnected,
  passed,
  providerAt,
  requestBody,
  type RouteOptions,
  testDeps,
  testRequest,
  testRoute,
} from './verify-fixture';
import { createPrepareCall, type UnsentCall } from './prepare-call';
import { createShapeRefusals } from './shape-refusals';
import { createFinishAnswer } from './finish-answer';

const mark = '\u26a0\ufe0f';
const readAhead = (): void => undefined;
const state = { shouldVerify: false, breakerOpen: false, counter: 0, retries: 0 };
const hold = (more: Readonly<Record<string, unknown>> = {}): RouteOptions => ({
  settings: { integrity: { mode: 'hold', ...more } },
});

/** A turn whose tool reports that the disk is at 91.4 %. */
const toolTurn = {
  messages: [
    { role: 'user', content: 'How full is web-1? It was 12% last year.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'tc1', type: 'function', function: { name: 'disk', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'tc1', content: '{"rows":[{"host":"web-1","disk_pct":91.4}]}' },
  ],
};

const envelopeOf = (answer: string, facts: readonly object[]): string =>
  JSON.stringify({ answer, facts });
const fact = (value: string, path = 'rows[0].disk_pct') => ({ value, source_id: 'tc1', path });

/** A text, a status, or null if the connection is reset. */
type Reply = string | number | null;

/** An upstream that answers successive re-prompts with a text, a status, or a reset connection. */
function upstream(replies: readonly Reply[]): {
  readonly sent: Record<string, unknown>[];
  readonly callUpstream: () => CallUpstream;
} {
  const sent: Record<string, unknown>[] = [];
  const left = [...replies];
  const call: CallUpstream = ({ body }) => {
    sent.push(JSON.parse(body.toString()) as Record<string, unknown>);
    const reply = left.shift() ?? null;
    if (reply === null)
      return Promise.resolve({ state: 'failed', problem: 'reset', message: 'reset' });
    const status = typeof reply === 'number' ? reply : 200;
    const chunks = typeof reply === 'number' ? [Buffer.from('{}')] : chatAnswer(reply).chunks;
    return Promise.resolve({ state: 'answered', status, contentType: 'application/json', chunks });
  };
  return { sent, callUpstream: () => call };
}

interface Scenario {
  readonly options?: RouteOptions;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: BufferedAnswer;
  readonly replies?: readonly Reply[];
  readonly overrides?: Partial<VerificationDeps>;
}

type Given = Pick<UnsentCall, 'route' | 'dialect' | 'body'>;

/** The request as sent upstream. */
const prepare = async (deps: VerificationDeps, given: Given): Promise<Buffer> => {
  const preparing = createPrepareCall({ ...deps, readAhead, shapes: createShapeRefusals() });
  return (await preparing({ id: 'call_1', noteKey: 's', model: 'm', ...given })).body;
};

async function finish({
  options = hold(),
  body = toolTurn,
  answer,
  replies = [],
  overrides = {},
}: Scenario) {
  const route = testRoute(options);
  const { sent, callUpstream } = upstream(replies);
  const { deps, recorded } = testDeps({ callUpstream, ...overrides });
  const client = requestBody('chat', false, body);
  const prepared = await prepare(deps, { route, dialect: 'chat', body: client });
  const request: ExchangeRequest = testRequest(route, 'chat', prepared);
  const finished = await createFinishAnswer(deps)(request, answer, state, stillConnected);
  const text = dialectOf('chat').readAnswer(Buffer.concat([...finished.answer.chunks]))?.text;
  return { finished, text, sent, recorded };
}

describe('an answer that came in an envelope', () => {
  test('INT-3 INT-12 INT-13 it is unwrapped, with its sources below, without another call', async () => {
    const end = await finish({
      answer: chatAnswer(envelopeOf('web-1 is at 91.4%.', [fact('91.4%')])),
    });
    expect(end.text).toMatch(/^web-1 is at 91\.4%\.\n\nSources:\n\n- 91\.4% — disk/);
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'passed', verificationId: expect.stringMatching(/^ver_/) },
      plainText: 'web-1 is at 91.4%.',
      integrity: {
        integrity_mode: 'envelope',
        integrity_unsourced: 0,
        integrity_reprompt_used: false,
        integrity_parse_ok: true,
        retries: 0,
      },
    });
    expect(end.finished.envelope).toContain('"facts"');
    expect(end.sent).toEqual([]);
    expect(end.recorded.logged).toMatchObject([
      { integrity_mode: 'envelope', integrity_unsourced: 0 },
    ]);
  });

  test('INT-4 INT-7 a wrong path is a wrong citation: one corrective message, then the corrected source', async () => {
    const wrong = envelopeOf('web-1 is at 91.4%.', [fact('91.4%', 'rows[7].disk_pct')]);
    const end = await finish({ answer: chatAnswer(wrong), replies: [wrong] });
    expect(end.sent).toHaveLength(1);
    expect(end.text).toMatch(/^web-1 is at 91\.4%\.\n\nSources:/);
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'passed' },
      integrity: { integrity_reprompt_used: true, integrity_unsourced: 0 },
    });
  });

  test('INT-5 INT-7 INT-8 an empty list of facts hides no figure: one corrective message at most, then marks', async () => {
    const bare = envelopeOf('web-1 is at 55%.', []);
    const end = await finish({ answer: chatAnswer(bare), replies: [bare, bare] });
    expect(end.sent).toHaveLength(1);
    expect(end.text).toContain(`55%${mark}`);
    expect(end.finished.outcome.verdict).toBe('flagged');
  });

  test('R-62 the scan is late: the text goes out unmarked, without the envelope', async () => {
    const late: VerificationDeps['scan'] = () => Promise.resolve({ state: 'late' });
    const answer = chatAnswer(envelopeOf('web-1 is at 55%.', []));
    const end = await finish({ answer, overrides: { scan: late } });
    expect(end.text).toBe('web-1 is at 55%.');
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'unavailable', reason: 'error' },
      integrity: null,
    });
  });
});

const event = (data: { readonly type?: string }): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

/**
 * The same envelope as each API streams it: as text of a chat, and as the input of Anthropic's
 * forced tool.
 */
const streams = {
  chat: (json: string): string => {
    const part = (delta: object, finish_reason: string | null = null): string =>
      event({
        id: 'c',
        object: 'chat.completion.chunk',
        model: 'gpt-4o',
        choices: [{ index: 0, delta, finish_reason }],
      } as object);
    const halves = [json.slice(0, 20), json.slice(20)].map((content) => part({ content }));
    return `${part({ role: 'assistant', content: '' })}${halves.join('')}${part({}, 'stop')}data: [DONE]\n\n`;
  },
  messages: (json: string): string =>
    [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'claude',
          content: [],
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'tu', name: 'deliver_answer', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: json.slice(0, 20) },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: json.slice(20) },
      },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 20 },
      },
      { type: 'message_stop' },
    ]
      .map(event)
      .join(''),
};

test.each(['chat', 'messages'] as const)(
  'INT-3 INT-17 %s: a streamed envelope goes out as a stream of its text',
  async (name) => {
    const { deps } = testDeps();
    const kind = name === 'messages' ? 'anthropic' : 'openai';
    const upstreamAt = providerAt(kind, kind, {
      origin: 'http://127.0.0.1:9',
      baseUrl: 'http://127.0.0.1:9/v1',
    });
    const route = testRoute({ ...hold(), upstream: upstreamAt });
    const body = await prepare(deps, { route, dialect: name, body: requestBody(name, true) });
    const chunks = [Buffer.from(streams[name](envelopeOf('All is well.', [])))];
    const read = readChunks(dialectOf(name), chunks, 'sse');
    if (read === null) throw new Error('no answer');
    const finished = await createFinishAnswer(deps)(
      testRequest(route, name, body),
      { chunks, form: 'sse', read },
      state,
      stillConnected,
    );
    const delivered = Buffer.concat([...finished.answer.chunks]).toString();
    expect(readChunks(dialectOf(name), finished.answer.chunks, 'sse')).toMatchObject({
      text: 'All is well.',
      toolCalls: [],
      complete: true,
    });
    expect(delivered).not.toMatch(/facts|deliver_answer/);
    expect(finished).toMatchObject({
      outcome: { verdict: 'passed' },
      integrity: { integrity_mode: 'envelope' },
      plainText: 'All is well.',
    });
  },
);

describe('a plain answer', () => {
  test('INT-6 INT-12 a sourced answer keeps its exact bytes', async () => {
    const answer = chatAnswer('web-1 is at 91.4%.');
    const end = await finish({ answer });
    expect(end.finished.answer).toBe(answer);
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'passed' },
      integrity: { integrity_mode: 'fallback_scan', integrity_parse_ok: false },
    });
  });

  test('INT-7 a figure without a source: one corrective message, in the conversation and with the answer before it', async () => {
    const end = await finish({
      answer: chatAnswer('web-1 is at 55%.'),
      replies: ['web-1 is at 91.4%.'],
    });
    const messages = end.sent[0]?.messages as { role: string; content: string }[];
    expect(messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'web-1 is at 55%.' },
      { role: 'user' },
    ]);
    expect(messages.at(-1)?.content).toContain('"55%"');
    expect(end.text).toBe('web-1 is at 91.4%.');
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'passed' },
      integrity: { integrity_reprompt_used: true, integrity_unsourced: 0 },
    });
  });

  test('INT-8 INT-22 still without a source: delivered with its mark', async () => {
    const end = await finish({
      answer: chatAnswer('web-1 is at 55%.'),
      replies: ['It is at 56% and was at 91.4%.'],
    });
    expect(end.text).toMatch(new RegExp(`^It is at 56%${mark} and was at 91\\.4%\\.`));
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'flagged' },
      plainText: 'It is at 56% and was at 91.4%.',
    });
  });

  test.each([
    [
      'INT-9 5xx, 429 and resets are retried after 1, 2, 4 and 8 s: five calls',
      [500, 429, null, 503, 500],
      5,
      4,
    ],
    ['INT-9 it answers on the second retry', [502, null, 'It is at 91.4%.'], 3, 2],
    ['INT-9 INT-10 another 4xx is not tried again', [400], 1, 0],
  ] as const)('%s', async (_title, replies, calls, retries) => {
    const end = await finish({ answer: chatAnswer('web-1 is at 55%.'), replies });
    expect(end.sent).toHaveLength(calls);
    expect(end.recorded.events).toEqual(
      ['wait 1000', 'wait 2000', 'wait 4000', 'wait 8000'].slice(0, retries),
    );
    expect(end.finished.integrity?.retries).toBe(retries);
    expect(end.finished.integrity?.integrity_reprompt_used).toBe(true);
  });

  test('INT-10 the corrective call fails for good: the first answer with its marks, and the message counts as used', async () => {
    const end = await finish({ answer: chatAnswer('web-1 is at 55%.'), replies: [401] });
    expect(end.text).toContain(`web-1 is at 55%${mark}`);
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'flagged' },
      integrity: { integrity_reprompt_used: true, integrity_unsourced: 1 },
    });
  });

  test.each([
    ['cut off', JSON.stringify({ choices: [] })],
    [
      'of tool calls',
      chatAnswer('', {
        tool_calls: [{ id: 't', type: 'function', function: { name: 'x', arguments: '{}' } }],
      }),
    ],
  ])('INT-10 a corrected answer that is %s does not count', async (_name, odd) => {
    const chunks = typeof odd === 'string' ? [Buffer.from(odd)] : odd.chunks;
    const callUpstream = (): CallUpstream => () =>
      Promise.resolve({ state: 'answered', status: 200, contentType: 'application/json', chunks });
    const end = await finish({
      answer: chatAnswer('web-1 is at 55%.'),
      overrides: { callUpstream },
    });
    expect(end.text).toContain(`web-1 is at 55%${mark}`);
  });

  test.each([
    ['an object', '{"disk":91.4,"queue":55}'],
    ['a list', ' [91.4, 55]\n'],
    ['an envelope of the client’s own', '{"answer":"web-1 is at 55%.","facts":[]}'],
  ])(
    'INT-5 INT-22 JSON is traced and stays unchanged; only the verdict reports it: %s',
    async (_what, text) => {
      const answer = chatAnswer(text);
      const end = await finish({
        answer,
        body: { ...toolTurn, response_format: { type: 'json_object' } },
      });
      expect(end.finished.answer).toBe(answer);
      expect(end.finished).toMatchObject({
        outcome: { verdict: 'flagged' },
        integrity: { integrity_unsourced: 1, integrity_reprompt_used: false },
      });
      expect(end.sent).toEqual([]);
    },
  );

  test('INT-14 an answer without figures is not scanned and keeps its bytes', async () => {
    const answer = chatAnswer('It is nearly full.');
    const end = await finish({
      answer,
      overrides: { scan: () => Promise.reject(new Error('scanned')) },
    });
    expect(end.finished.answer).toBe(answer);
    expect(end.finished).toMatchObject({
      outcome: { verdict: 'passed' },
      integrity: { integrity_unsourced: 0 },
    });
  });

  test('INT-14 an answer that calls a tool is not final and stays unchanged', async () => {
    const answer = chatAnswer('I measured 55% and look again.', {
      tool_calls: [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }],
    });
    const end = await finish({ answer });
    expect([
      end.finished.answer === answer,
      end.finished.outcome.verdict,
      end.finished.integrity,
      end.sent.length,
    ]).toEqual([true, 'not_verified', null, 0]);
  });

  test('INT-20 the user’s own figures count if the route says so', async () => {
    const answer = chatAnswer('Last year it was at 12%.');
    const literal = await finish({ answer, replies: [400] });
    const allowed = await finish({ answer, options: hold({ allow_user_figures: true }) });
    expect([literal.finished.outcome.verdict, allowed.finished.outcome.verdict]).toEqual([
      'flagged',
      'passed',
    ]);
  });

  test('R-62 after a late or failed scan the exact bytes go out', async () => {
    for (const state of ['late', 'broken'] as const) {
      const answer = chatAnswer('web-1 is at 55%.');
      const end = await finish({ answer, overrides: { scan: () => Promise.resolve({ state }) } });
      expect(end.finished.answer, state).toBe(answer);
      expect(end.finished.outcome).toMatchObject({ verdict: 'unavailable', reason: 'error' });
    }
  });
});

describe('both at once', () => {
  const both = (): RouteOptions => ({
    settings: {
      integrity: { mode: 'hold' },
      quality_verifier: { model: 'judge:small', control_share: 0 },
    },
  });

  test.each([
    ['passed', 'web-1 is at 91.4%.', { decision: 'pass' }, 'passed'],
    [
      'passed by the verifier, with a figure of its own',
      'web-1 is at 55%.',
      { decision: 'pass' },
      'flagged',
    ],
    [
      'the verifier failed',
      'web-1 is at 91.4%.',
      { decision: 'verifier_failed', problem: 'x' },
      'unavailable',
    ],
  ] as const)('%s', async (_name, text, judgeCall, verdict) => {
    const { deps } = testDeps({ judgeCalls: [judgeCall] });
    const request = testRequest(testRoute(both()), 'chat', requestBody('chat', false, toolTurn));
    const finished = await createFinishAnswer(deps)(
      request,
      chatAnswer(text),
      { ...state, shouldVerify: true },
      stillConnected,
    );
    expect(finished.outcome.verdict).toBe(verdict);
    expect(finished.episode).not.toBeNull();
  });

  test('INT-17 QV-22 the verifier sees the answer, not its envelope', async () => {
    const { deps, recorded } = testDeps({ judgeCalls: [passed] });
    const route = testRoute(both());
    const body = await prepare(deps, { route, dialect: 'chat', body: requestBody('chat', false) });
    const answer = chatAnswer(envelopeOf('It is nearly full.', []));
    const finished = await createFinishAnswer(deps)(
      testRequest(route, 'chat', body),
      answer,
      { ...state, shouldVerify: true },
      stillConnected,
    );
    expect(recorded.judgeCalls[0]?.completion).toBe('It is nearly full.');
    expect(finished.plainText).toBe('It is nearly full.');
  });
});

/** The request with the rule of its route. */
function withRule(route: GatewayRoute, dialect: GatewayDialect, body: Buffer): Buffer {
  const rule = envelopeRule(route, dialect, body);
  if (rule === null) throw new Error('the route has no rule');
  return dialectOf(dialect).withRule(body, ...rule) ?? body;
}

describe('requesting an envelope', () => {
  const at = (
    origin: string,
    kind: 'openai' | 'anthropic' | 'openai_compatible' | 'google',
    name: string = kind,
  ): GatewayRoute =>
    testRoute({ ...hold(), upstream: providerAt(name, kind, { origin, baseUrl: `${origin}/v1` }) });

  test.each([
    [
      'OpenAI',
      at('https://api.openai.com', 'openai'),
      'chat',
      (body: Body) => body.response_format?.type,
      'json_schema',
    ],
    [
      'OpenAI responses',
      at('https://api.openai.com', 'openai'),
      'responses',
      (body: Body) => body.text?.format?.type,
      'json_schema',
    ],
    [
      'Anthropic',
      at('https://api.anthropic.com', 'anthropic'),
      'messages',
      (body: Body) => body.tool_choice?.type,
      'tool',
    ],
    [
      'Gemini',
      at('https://generativelanguage.googleapis.com', 'google'),
      'chat',
      (body: Body) => body.response_format?.type,
      'json_schema',
    ],
    [
      'Ollama',
      at('http://10.0.0.7:11434', 'openai_compatible'),
      'chat',
      (body: Body) => body.format,
      'json',
    ],
  ] as const)('INT-17 %s', (_name, route, dialect, shape, expected) => {
    const asked = withRule(route, dialect, requestBody(dialect, false));
    expect(shape(JSON.parse(asked.toString()) as Body)).toBe(expected);
    expect(asked.toString()).toContain('Rule #-1');
    expect(readEnvelopeRequest(route, dialect, asked)).not.toBeNull();
    expect(readEnvelopeRequest(route, dialect, requestBody(dialect, false))).toBeNull();
  });

  test('INT-17 a server that may not support schemas gets only the rule', () => {
    const route = at('http://10.0.0.7:8000', 'openai_compatible', 'house');
    const asked = withRule(route, 'chat', requestBody('chat', false)).toString();
    expect(asked).toContain('Rule #-1');
    expect(asked).not.toMatch(/response_format|"format"|"facts"/);
    expect(readEnvelopeRequest(route, 'chat', Buffer.from(asked))).toBeNull();
  });

  test.each([
    [
      'tools are offered',
      hold(),
      { tools: [{ type: 'function', function: { name: 'disk', parameters: {} } }] },
    ],
    ['a shape is asked for', hold(), { response_format: { type: 'json_object' } }],
    ['two choices are asked for', hold(), { n: 2 }],
    ['integrity is off by its switch', { ...hold(), integrityOff: true }, {}],
    ['integrity is observed', { settings: { integrity: { mode: 'observe' } } }, {}],
    ['integrity is off on the route', { settings: { integrity: { mode: 'off' } } }, {}],
  ] as const)('INT-11 INT-17 the same bytes if %s', async (_name, options, more) => {
    const { deps } = testDeps();
    const body = requestBody('chat', false, more);
    expect(await prepare(deps, { route: testRoute(options), dialect: 'chat', body })).toBe(body);
  });
});

interface Body {
  readonly response_format?: { readonly type: string };
  readonly text?: { readonly format?: { readonly type: string } };
  readonly tool_choice?: { readonly type: string };
  readonly format?: string;
}
