import type { JudgeCall, GatewayDialect } from '../../domain';
import type { ProviderAccess } from '../../llm';
import { systemClock } from '../../platform';
import { type Authority, unbound } from '../../thresholds';
import { createBodies } from '../proxy/bodies';
import { createDeferredNotes } from './deferred-notes';
import { dialectOf, readChunks } from '../dialects/dialects';
import { namesInPath } from '../dialects/paths';
import type { CallUpstream, ExchangeRequest, GatewayRoute, BufferedAnswer } from '../exchange';
import { RouteSettings } from '../input';
import type { VerificationDeps, JudgeCallInput, TurnPrompts } from './deps';
import { createFigureScan } from './figure-scan';

/** Requests, answers and dependencies of the verification for tests. */

export const prompts: TurnPrompts = {
  verifier: { version: 'turn-verifier@3', text: 'You audit the last answer.', examples: [] },
  steering: {
    version: 'turn-steering@2',
    text: 'Private guidance for your next answer, never to be mentioned: {{note}}',
    examples: [],
  },
  reminder: { version: 'turn-reminder@1', text: 'Audit the last answer now.', examples: [] },
};

export function providerAt(
  name: string,
  kind: ProviderAccess['kind'],
  llm: { readonly origin: string; readonly baseUrl: string },
): ProviderAccess {
  const openKey = (): string => 'sk-upstream-key';
  return {
    name,
    kind,
    baseUrl: llm.baseUrl,
    origin: llm.origin,
    models: [],
    prices: new Map(),
    source: 'project',
    openKey,
  };
}

export interface RouteOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly upstream?: ProviderAccess;
  readonly providers?: readonly ProviderAccess[];
  readonly integrityOff?: boolean;
  readonly projectId?: string;
  readonly turnAuthority?: Authority;
}

const unusedProvider = providerAt('openai', 'openai', {
  origin: 'http://127.0.0.1:9',
  baseUrl: 'http://127.0.0.1:9/v1',
});

export function testRoute({
  settings = {},
  upstream = unusedProvider,
  providers = [],
  integrityOff = false,
  projectId = 'prj_1',
  turnAuthority = unbound,
}: RouteOptions): GatewayRoute {
  const project = {
    id: projectId,
    slug: 'p',
    integrityOff,
    derivedCountsAsSourced: false,
    masks: null,
    turnAuthority,
    providers: [upstream, ...providers],
  };
  const { baseUrl, origin } = upstream;
  const api = upstream.kind === 'anthropic' ? 'anthropic' : 'openai';
  return {
    name: 'main',
    project,
    settings: RouteSettings.parse(settings),
    api,
    baseUrl,
    origin,
    provider: upstream,
    keyGap: null,
  };
}

const paths: Record<GatewayDialect, string> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-flash:generateContent',
  ollama: '/api/chat',
  embeddings: '/v1/embeddings',
};

const question = 'How full is web-1?';

/** A client's request in each API: one question, streamed or not. */
export function requestBody(
  dialect: GatewayDialect,
  stream: boolean,
  more: Readonly<Record<string, unknown>> = {},
): Buffer {
  const rest = {
    model: dialect === 'messages' ? 'claude-sonnet-4-5' : 'gpt-4o',
    ...(stream ? { stream: true } : {}),
    ...more,
  };
  const { model: _inPath, stream: _byPath, ...inBody } = rest;
  const messages = [{ role: 'user', content: question }];
  const body = {
    chat: { ...rest, messages: [{ role: 'system', content: 'You help.' }, ...messages] },
    responses: { ...rest, instructions: 'You help.', input: messages },
    messages: { ...rest, system: 'You help.', max_tokens: 500, messages: messages },
    gemini: {
      ...inBody,
      systemInstruction: { parts: [{ text: 'You help.' }] },
      contents: [{ role: 'user', parts: [{ text: question }] }],
    },
    ollama: {
      ...rest,
      stream,
      messages: [{ role: 'system', content: 'You help.' }, ...messages],
    },
    embeddings: { ...rest, input: question },
  };
  return Buffer.from(JSON.stringify({ ...body[dialect], ...more }));
}

let calls = 0;

export function testRequest(
  route: GatewayRoute,
  dialect: GatewayDialect,
  body: Buffer,
  more: Partial<ExchangeRequest> = {},
): ExchangeRequest {
  const hints = dialectOf(dialect).hintsOf(body);
  return {
    id: `call_${++calls}`,
    route,
    dialect,
    sessionId: `session-${calls}`,
    noteKey: `key session-${calls}`,
    clientRequestId: null,
    metadata: {},
    path: paths[dialect],
    headers: ['content-type', 'application/json', 'authorization', 'Bearer sk-upstream-key'],
    body,
    stream: hints.stream,
    model: hints.model ?? namesInPath(paths[dialect]).model,
    toolFollowup: hints.toolFollowup,
    startedAt: performance.now(),
    ...more,
  };
}

/** Buffers the upstream's answer to a request. @throws Error if there is none */
export async function bufferAnswer(
  request: ExchangeRequest,
  call: CallUpstream,
): Promise<BufferedAnswer> {
  const outcome = await call({
    body: request.body,
    signal: new AbortController().signal,
    maxBytes: 1 << 24,
  });
  if (outcome.state !== 'answered')
    throw new Error(`the upstream did not answer: ${outcome.message}`);
  const form = request.stream ? 'sse' : 'json';
  const read = readChunks(dialectOf(request.dialect), outcome.chunks, form);
  if (read === null) throw new Error('the answer could not be read');
  return { chunks: outcome.chunks, form, read };
}

/** A complete chat answer without a network call. */
export function chatAnswer(
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): BufferedAnswer {
  const message = { role: 'assistant', content: text, ...more };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const body = Buffer.from(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      model: 'gpt-4o',
      choices,
      usage: usageOf,
    }),
  );
  const read = readChunks(dialectOf('chat'), [body], 'json');
  if (read === null) throw new Error('no answer');
  return { chunks: [body], form: 'json', read };
}
const usageOf = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export const passed: JudgeCall = {
  decision: 'pass',
  note: null,
  problem: null,
  calls: 1,
  model: 'judge/gpt-4o-mini',
  prompt_version: 'turn-verifier@3',
  input_tokens: 100,
  output_tokens: 10,
  cost_usd: 0.001,
  latency_ms: 5,
};

/** Records calls of counters, breakers and verifiers, in order. */
export interface TestRecord {
  readonly events: string[];
  readonly judgeCalls: JudgeCallInput[];
  readonly logged: Record<string, unknown>[];
}

type Overrides = Partial<VerificationDeps> & {
  readonly judgeCalls?: readonly Partial<JudgeCall>[];
};

/** Dependencies with a scripted verifier; waits end at once, and no note is a control. */
export function testDeps({ judgeCalls = [], ...overrides }: Overrides = {}): {
  readonly deps: VerificationDeps;
  readonly recorded: TestRecord;
} {
  const recorded: TestRecord = { events: [], judgeCalls: [], logged: [] };
  const script = [...judgeCalls];
  const record = (fields: unknown): void =>
    void recorded.logged.push(fields as Record<string, unknown>);
  const log = {
    info: record,
    debug: record,
    warn: record,
    error: record,
  } as unknown as VerificationDeps['log'];
  const deps: VerificationDeps = {
    clock: systemClock,
    log,
    random: () => 1,
    wait: (ms) => {
      recorded.events.push(`wait ${ms}`);
      return Promise.resolve();
    },
    callUpstream: () => () =>
      Promise.resolve({ state: 'failed', problem: 'reset', message: 'no upstream' }),
    promptsOf: () => prompts,
    turns: {
      reset: (projectId, sessionId) => void recorded.events.push(`reset ${projectId} ${sessionId}`),
    },
    breakers: {
      permit: () => ({ state: 'closed', probe: null }),
      note: (_projectId, model, _settings, { ok, problem }) =>
        void recorded.events.push(`breaker ${model} ${ok ? 'ok' : `failed: ${problem ?? ''}`}`),
      abandon: () => void recorded.events.push('abandon'),
    },
    judge: (call) => {
      recorded.judgeCalls.push(call);
      return Promise.resolve({ ...passed, ...script.shift() });
    },
    deferred: createDeferredNotes(),
    bodies: createBodies({ log }, null),
    scan: createFigureScan({ log }, null).scan,
    turnVerifier: {
      start: () => Promise.reject(new Error('no verifier of the route was expected')),
      verdictOf: () => Promise.resolve(null),
    },
    ...overrides,
  };
  return { deps, recorded };
}

export const stillConnected: AbortSignal = new AbortController().signal;
