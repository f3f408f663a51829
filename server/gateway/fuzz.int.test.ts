import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { faultOf, runCampaign } from '../../testing/fuzz/campaign';
import { fuzzSeconds } from '../../testing/fuzz/fuzz';
import { modelApis } from '../../testing/fuzz/model-apis';
import { cutBytes, mutateBytes, mutateJson, pick } from '../../testing/fuzz/mutate';
import { createSender, type Sender } from '../../testing/fuzz/send';
import {
  type MockUpstream,
  startMockUpstream,
  type UpstreamHeard,
} from '../../testing/mock-upstream';
import { type Edge, startEdge } from '../../testing/processes';
import type { Random } from '../../testing/seed';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey } from '../access';
import { putProvider } from '../llm';
import { putRoute } from './index';
import { RouteSettings } from './input';

// R-106: mutated model calls through an edge process to an upstream whose answers are mutated.

/** What the upstream answers to one request. */
interface Scripted {
  readonly status: number;
  readonly type: string;
  readonly coding: string | null;
  readonly chunks: readonly Buffer[];
  /** The connection ends before the answer does. */
  readonly breaks: boolean;
}

interface Input {
  readonly path: string;
  readonly body: Buffer;
  readonly session: string;
  readonly answer: Scripted;
}

let stack: Stack;
let upstream: MockUpstream;
let edge: Edge;
let sender: Sender;
let key: string;
let dataDir: string;
const scripts = new Map<string, Scripted>();

const providers = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  ollama: 'openai_compatible',
} as const;
/** Routes to a provider, by how answers are verified. */
const modes = ['off', 'observe', 'hold'] as const;

beforeAll(async () => {
  [upstream, stack] = await Promise.all([
    startMockUpstream(answerScripted),
    createStack(inject('databaseUrl')),
  ]);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  const { host } = new URL(upstream.origin);
  const project = {
    ...stack.project,
    env: { ...stack.project.env, outboundAllow: new Set([host]) },
  };
  for (const [name, kind] of Object.entries(providers)) {
    await putProvider(project, name, {
      kind,
      base_url: kind === 'openai' ? `${upstream.origin}/v1` : upstream.origin,
      api_key: `sk-${name}-stored-0001`,
      models: ['m'],
      enabled: true,
    });
    for (const mode of modes)
      await putRoute(
        project,
        `${name}-${mode}`,
        RouteSettings.parse({ upstream: name, integrity: { mode } }),
      );
  }
  ({ key } = await createKey(project, { name: 'gateway', scopes: ['gateway'] }));
  edge = await startEdge(
    {
      ...stack.variables,
      ASSAY_DATA_DIR: dataDir,
      ASSAY_OUTBOUND_ALLOW: host,
      ASSAY_LOG_LEVEL: 'error',
    },
    true,
  );
  sender = createSender(edge.url);
});

afterAll(async () => {
  sender.close();
  await Promise.all([stack.close(), upstream.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

async function answerScripted({ headers, response, socket }: UpstreamHeard): Promise<void> {
  upstream.heard.length = 0;
  const scripted = scripts.get(String(headers['x-fuzz']));
  if (scripted === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { status, type, coding, chunks, breaks } = scripted;
  response.writeHead(status, {
    'content-type': type,
    ...(coding !== null && { 'content-encoding': coding }),
  });
  for (const chunk of chunks) {
    if (chunk.length > 0) response.write(chunk);
    await new Promise((go) => setImmediate(go));
  }
  if (breaks) socket.destroy();
  else response.end();
}

function corrupt(value: unknown, random: Random): Buffer {
  const text = random.next() < 0.6 ? mutateJson(value, random) : JSON.stringify(value);
  const bytes = Buffer.from(text);
  return random.next() < 0.15 ? mutateBytes(bytes, random) : bytes;
}

function streamOf(events: readonly unknown[], form: 'sse' | 'ndjson', random: Random): Buffer {
  const texts = events.map((event) =>
    random.next() < 0.25 ? mutateJson(event, random) : JSON.stringify(event),
  );
  const end = pick(['\n\n', '\n\n', '\r\n\r\n', '\r\r', '\n', ''], random);
  const whole =
    form === 'ndjson'
      ? texts.join('\n')
      : texts.map((text) => `data: ${text}${end}`).join('') +
        pick(['data: [DONE]\n\n', ''], random);
  return random.next() < 0.4 ? mutateBytes(Buffer.from(whole), random) : Buffer.from(whole);
}

/** Statuses that a held call does not retry after a pause (INT-9), which would take the time. */
const otherStatuses = [201, 204, 400, 404, 422];
const transient = [429, 500, 529];

function makeAnswer(name: keyof typeof modelApis, mode: string, random: Random): Scripted {
  const { answers, stream } = modelApis[name];
  const streams = random.next() < 0.6;
  const form = name === 'ollama' ? 'ndjson' : 'sse';
  const body = streams ? streamOf(stream, form, random) : corrupt(pick(answers, random), random);
  const statuses = mode === 'hold' ? otherStatuses : [...otherStatuses, ...transient];
  const chance = random.next();
  const usual = streams
    ? form === 'sse'
      ? 'text/event-stream'
      : 'application/x-ndjson'
    : 'application/json';
  return {
    status: random.next() < 0.95 ? 200 : pick(statuses, random),
    type:
      random.next() < 0.9
        ? usual
        : pick(['text/html', 'application/json', 'text/event-stream', 'x'], random),
    coding: chance < 0.9 ? null : pick(['gzip', 'br', 'deflate', 'x'], random),
    chunks: cutBytes(chance > 0.9 && chance < 0.97 ? gzipSync(body) : body, random),
    breaks: mode !== 'hold' && random.next() < 0.04,
  };
}

function makeInput(random: Random): Input {
  const name = pick(Object.keys(modelApis) as (keyof typeof modelApis)[], random);
  const { path, requests } = modelApis[name];
  const mode = pick(modes, random);
  return {
    path: `/gateway/${path.replace('/', `-${mode}/`)}`,
    body: corrupt(pick(requests, random), random),
    session: `s-${random.between(0, 40)}`,
    answer: makeAnswer(name, mode, random),
  };
}

let sent = 0;

async function send({ path, body, session, answer: scripted }: Input): Promise<string | null> {
  const id = String(sent++);
  scripts.set(id, scripted);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-assay-session': session,
    'x-fuzz': id,
  };
  const request = { method: 'POST', path, headers, body };
  try {
    const answer = await sender.send(request, 10_000);
    if (answer === null) return 'no answer';
    const { status } = answer;
    if (status === scripted.status) return unlike(path, answer.body, scripted);
    // Held and without readable text (docs/reference/gateway.md).
    if (status === 502 && path.includes('-hold/')) return faultOf({ ...answer, status: 400 }, true);
    if (scripted.breaks && [502, 504].includes(status)) return null;
    return faultOf(answer, true);
  } catch (error) {
    // A broken answer breaks off for the client too.
    return scripted.breaks ? null : String(error);
  } finally {
    scripts.delete(id);
  }
}

/** Without verification, the client gets the upstream's bytes. */
function unlike(path: string, body: Buffer, { chunks, status, breaks }: Scripted): string | null {
  if (!path.includes('-off/') || status === 204 || breaks) return null;
  const expected = Buffer.concat(chunks);
  return body.equals(expected)
    ? null
    : `other bytes than the upstream's: ${body.toString('base64').slice(0, 300)}`;
}

/** Names of models that were found: their turns were refused by PostgreSQL, and lost. */
const keptNames = ['"\\udc00"', '"a\\u0000b"', '"\\ud83d"'];

test.each(keptNames)(
  'R-106 kept case: the turn of a call to a model %s is stored',
  async (written) => {
    const answer = `{"model":${written},"choices":[{"message":{"role":"assistant","content":"It is 5%."}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`;
    const [before] = await stack.sql<{ n: number }[]>`select count(*)::int as n from turns`;
    const fault = await send({
      path: '/gateway/openai-observe/v1/chat/completions',
      body: Buffer.from(`{"model":${written},"messages":[{"role":"user","content":"How full?"}]}`),
      session: 'kept',
      answer: {
        status: 200,
        type: 'application/json',
        coding: null,
        chunks: [Buffer.from(answer)],
        breaks: false,
      },
    });
    expect(fault).toBe(null);
    await until(
      'the turn is stored',
      async () => {
        const [now] = await stack.sql<{ n: number }[]>`select count(*)::int as n from turns`;
        return (now?.n ?? 0) > (before?.n ?? 0) ? true : null;
      },
      20_000,
    );
  },
);

const seconds = fuzzSeconds(1, 12);

test(
  'R-106 mutated model calls and mutated answers of the upstream: relayed or refused, no server error, no stall, no growth',
  async () => {
    const inputs = await runCampaign<Input>({
      name: 'R-106 gateway',
      process: edge,
      seconds,
      make: makeInput,
      run: send,
      show: ({ path, body, answer }) =>
        `POST ${path} ${body.toString('base64').slice(0, 1_500)} answered ${JSON.stringify({
          ...answer,
          chunks: answer.chunks.map((chunk) => chunk.toString('latin1').slice(0, 300)),
        })}`,
    });
    expect(inputs).toBeGreaterThan(0);
  },
  seconds * 1000 + 240_000,
);
