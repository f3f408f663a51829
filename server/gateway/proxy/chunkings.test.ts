import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { readRaw } from '../../../testing/raw-answer';
import { createLog, systemClock } from '../../platform';
import { createBodies } from './bodies';
import type { BufferedAnswer } from '../exchange';
import type { UpstreamHandler } from './forward';
import { RouteSettings } from '../input';
import type { ProxyDeps } from './deps';
import { createGateway } from './gateway';

/** The two ends of an in-process connection. */
function createPair(): readonly [Duplex, Duplex] {
  const ends: Duplex[] = [0, 1].map(
    (n) =>
      new Duplex({
        read: () => undefined,
        write(chunk: Buffer, _coding, done) {
          ends[1 - n]?.push(chunk);
          done();
        },
        final(done) {
          ends[1 - n]?.push(null);
          done();
        },
      }),
  );
  const [one, other] = ends;
  if (one === undefined || other === undefined) throw new Error('two ends');
  return [one, other];
}

const words = [
  'Die ',
  'Platte ',
  'ist ',
  'zu 91,4 % ',
  'voll – ',
  '😀 ',
  '数据 ',
  '"quoted\\n" ',
  'é',
  '\u2028',
];
const event = (name: string | null, data: unknown) =>
  `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

interface Recorded {
  readonly path: string;
  readonly body: object;
  /** An event stream by default. */
  readonly type?: string;
  readonly stream: string;
}

/**
 * As each API sends them; one with CRLF, comments and no last event, as some hosts do.
 */
const recorded: readonly Recorded[] = [
  {
    path: '/v1/chat/completions',
    body: { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'x' }] },
    stream: `${words.map((content) => event(null, { id: 'c', model: 'gpt-4o', choices: [{ index: 0, delta: { content } }] })).join('')}data: [DONE]\n\n`,
  },
  {
    path: '/v1/chat/completions',
    body: { model: 'local', stream: true, messages: [{ role: 'user', content: 'x' }] },
    stream: `: ping\r\n\r\n${words.map((content) => event(null, { choices: [{ delta: { content } }] }).replaceAll('\n', '\r\n')).join('')}`,
  },
  {
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      stream: true,
      messages: [{ role: 'user', content: 'x' }],
    },
    stream: [
      event('message_start', {
        type: 'message_start',
        message: { id: 'm', model: 'claude-sonnet-4-5', usage: { input_tokens: 3 } },
      }),
      event('content_block_start', {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
      ...words.map((text) =>
        event('content_block_delta', {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text },
        }),
      ),
      event('content_block_stop', { type: 'content_block_stop', index: 0 }),
      event('message_delta', {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 9 },
      }),
      event('message_stop', { type: 'message_stop' }),
    ].join(''),
  },
  {
    path: '/v1/responses',
    body: { model: 'gpt-4o', stream: true, input: 'x' },
    stream: [
      event('response.created', {
        type: 'response.created',
        response: { id: 'r', model: 'gpt-4o' },
      }),
      ...words.map((delta) =>
        event('response.output_text.delta', {
          type: 'response.output_text.delta',
          output_index: 0,
          content_index: 0,
          delta,
        }),
      ),
      event('response.completed', {
        type: 'response.completed',
        response: { id: 'r', model: 'gpt-4o', output: [] },
      }),
    ].join(''),
  },
  {
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
    stream: [...words, '']
      .map((text, n) =>
        event(null, {
          candidates: [
            {
              content: { role: 'model', parts: [{ text }] },
              ...(n === words.length ? { finishReason: 'STOP' } : {}),
            },
          ],
          modelVersion: 'gemini-2.5-flash',
        }).replaceAll('\n', '\r\n'),
      )
      .join(''),
  },
  {
    path: '/api/chat',
    body: { model: 'llama3.2', messages: [{ role: 'user', content: 'x' }] },
    type: 'application/x-ndjson',
    stream: [...words, '']
      .map(
        (content, n) =>
          `${JSON.stringify({ model: 'llama3.2', message: { role: 'assistant', content }, done: n === words.length })}\n`,
      )
      .join(''),
  },
];

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function cut(bytes: Buffer, random: () => number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random() < 0.3 ? 1 + Math.floor(random() * 4) : 1 + Math.floor(random() * 300);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

/** A proxy whose upstream sends the given chunks at once. */
function createTestProxy(): {
  ask(one: Recorded, chunks: readonly Buffer[], shouldVerify: boolean): Promise<Buffer>;
} {
  let chunks: readonly Buffer[] = [];
  let shouldVerify = false;
  let type = '';
  const project = {
    id: 'p',
    slug: 'p',
    integrityOff: false,
    derivedCountsAsSourced: false,
    masks: null,
    providers: [],
  };
  const settings = RouteSettings.parse({ quality_verifier: { model: 'a:b' } });
  const route = {
    name: 'test',
    project,
    settings,
    api: 'openai',
    baseUrl: 'http://x/v1',
    origin: 'http://x',
    provider: null,
    keyGap: null,
  } as const;
  const deps = {
    snapshot: {
      authorize: () => ({ state: 'ok', project, virtual: true, keyId: 'k' }),
      routeOf: () => route,
    },
    turns: {
      advance: () => ({ units: 1000, counter: 1000, shouldVerify }),
      endVerification: () => undefined,
    },
    breakers: { isOpen: () => false },
    finishAnswer: (_request: unknown, answer: BufferedAnswer) =>
      Promise.resolve({
        answer,
        outcome: { verdict: 'passed', reason: null, verificationId: 'ver_1' },
      }),
    recorder: { note: () => undefined, count: () => undefined, isUnavailable: () => false },
    mayPrepare: () => false,
    bodies: createBodies({ log: createLog('test', 'silent') }, null),
    forward: {
      upstreamOf: () => ({ credential: null }),
      dispatch(_upstream: unknown, _request: unknown, handler: UpstreamHandler) {
        handler.onConnect(() => undefined);
        handler.onHeaders(
          200,
          [Buffer.from('content-type'), Buffer.from(type)],
          () => undefined,
          'OK',
        );
        for (const chunk of chunks) handler.onData(chunk);
        handler.onComplete(null);
      },
    },
    clock: systemClock,
    log: createLog('test', 'silent'),
    retryDelaysMs: [],
    keepAliveMs: 10_000,
    // Only the parts that this test's calls reach.
  } as unknown as ProxyDeps;
  const gateway = createGateway(deps);
  const server = createServer((request, response) => void gateway.handle(request, response));
  return {
    ask({ path, body, type: own = 'text/event-stream' }, sent, verifies) {
      [chunks, shouldVerify, type] = [sent, verifies, own];
      const [client, end] = createPair();
      server.emit('connection', end);
      const text = JSON.stringify(body);
      client.write(
        `POST /gateway/test${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
      return new Promise((resolve) => {
        const parts: Buffer[] = [];
        client.on('data', (part: Buffer) => parts.push(part));
        client.on('end', () => resolve(readRaw(Buffer.concat(parts)).body));
      });
    },
  };
}

test('QV-16 R-63 random chunkings of recorded streams: unverified or passed, the client gets the exact bytes', {
  timeout: 120_000,
}, async () => {
  const random = createRandom(20_260_722);
  const proxy = createTestProxy();
  const outcome = Buffer.from(': x-assay-verdict: passed; x-assay-verification: ver_1\n\n');
  const keepAlive = Buffer.from(': keep-alive\n\n');
  for (let n = 0; n < caseCount(10_000); n++) {
    const one = recorded[n % recorded.length];
    if (one === undefined) throw new Error('a stream');
    const bytes = Buffer.from(one.stream);
    const shouldVerify = random() < 0.5;
    const body = await proxy.ask(one, cut(bytes, random), shouldVerify);
    const at = body.indexOf(outcome);
    // Lines of JSON have no comments: the outcome is in the headers.
    const hasComment = shouldVerify && one.type === undefined;
    const plain = hasComment
      ? Buffer.concat([body.subarray(keepAlive.length, at), body.subarray(at + outcome.length)])
      : body;
    const atBoundary =
      at <= keepAlive.length || /\r?\n\r?\n$/.test(body.toString('latin1', at - 4, at));
    if (!atBoundary || !plain.equals(bytes) || at >= 0 !== hasComment)
      throw new Error(`chunking ${n} of ${one.path}, verified ${shouldVerify}: ${body.toString()}`);
  }
  expect.assertions(0);
});
