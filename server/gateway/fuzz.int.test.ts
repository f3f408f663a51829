import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { faultOf, runCampaign } from '../../testing/fuzz/campaign';
import { fuzzExtent, fuzzOptions } from '../../testing/fuzz/extent';
import { modelApis } from '../../testing/fuzz/model-apis';
import { cutBytes, mutateBytes, mutateJson, pick } from '../../testing/fuzz/mutate';
import { createSender, type Sender } from '../../testing/fuzz/send';
import {
  type MockUpstream,
  startMockUpstream,
  type ReceivedRequest,
} from '../../testing/mock-upstream';
import { type Edge, startEdge } from '../../testing/processes';
import type { Random } from '../../testing/seed';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey } from '../access';
import { putProvider } from '../llm';
import { dialectOf, readChunks } from './dialects/dialects';
import { putRoute } from './index';
import { RouteSettings } from './input';

// R-106: mutated model calls through an edge process to an upstream whose answers are mutated.

/** The upstream's answer to one request. */
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
  /** Whether the record of the call has a turn: the dialect reads a text and no tool call. */
  readonly hasTurn: boolean;
}

let stack: Stack;
let upstream: MockUpstream;
let edge: Edge;
let sender: Sender;
let key: string;
let dataDir: string;
const scripts = new Map<string, Scripted>();
/** The calls that reached the upstream. */
const relayed = new Set<string>();

/** Calls whose answer a client received to its end. */
interface Acknowledged {
  calls: number;
  /** Those of `calls` that have a turn. */
  turns: number;
}

/** Those with a row, by session, route and status: errors and 204 are only counted. */
const acknowledged = new Map<string, Acknowledged>();
const keyOf = (session: string, route: string, status: number): string =>
  `${session} ${route} ${status}`;

/** Only terminates a hanging request. */
const ANSWER_MS = 120_000;

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

async function answerScripted({ headers, response, socket }: ReceivedRequest): Promise<void> {
  upstream.requests.length = 0;
  const id = String(headers['x-fuzz']);
  relayed.add(id);
  const scripted = scripts.get(id);
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

/**
 * Statuses that a buffered call does not retry after a pause (INT-9), which would use up the time.
 */
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
  const body = corrupt(pick(requests, random), random);
  const session = `s-${random.between(0, 40)}`;
  const answer = makeAnswer(name, mode, random);
  return {
    path: `/gateway/${path.replace('/', `-${mode}/`)}`,
    body,
    session,
    answer,
    hasTurn: mode === 'observe' && isReadable(name, answer),
  };
}

function isReadable(
  name: keyof typeof modelApis,
  { status, type, coding, chunks }: Scripted,
): boolean {
  const dialect = dialectOf(name);
  if (status !== 200 || coding !== null) return false;
  const { streamForm } = dialect;
  const streamType = streamForm === 'sse' ? 'text/event-stream' : 'application/x-ndjson';
  if (type !== 'application/json' && type !== streamType) return false;
  const read =
    type === streamType
      ? readChunks(dialect, chunks, streamForm)
      : dialect.readAnswer(Buffer.concat(chunks));
  return read !== null && read.text.trim() !== '' && read.toolCalls.length === 0;
}

let sentCount = 0;
let acknowledgedCount = 0;

async function send(input: Input): Promise<string | null> {
  const { path, body, session, answer: scripted } = input;
  const id = String(sentCount++);
  scripts.set(id, scripted);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-assay-session': session,
    'x-fuzz': id,
  };
  const sent = { method: 'POST', path, headers, body };
  const isJsonRoute = true;
  try {
    const answer = await sender.send(sent, ANSWER_MS);
    if (answer === null) return 'no answer';
    const { status } = answer;
    if (status === scripted.status) {
      if (relayed.delete(id)) acknowledge(input);
      return unlike(path, answer.body, scripted);
    }
    // Buffered and without readable text (docs/reference/gateway.md).
    if (status === 502 && path.includes('-hold/'))
      return faultOf({ ...answer, status: 400 }, { sent, isJsonRoute });
    if (scripted.breaks && [502, 504].includes(status)) return null;
    return faultOf(answer, { sent, isJsonRoute });
  } catch (error) {
    // A broken answer is cut off for the client too.
    return scripted.breaks ? null : String(error);
  } finally {
    scripts.delete(id);
    relayed.delete(id);
  }
}

function acknowledge({ path, session, answer, hasTurn }: Input): void {
  acknowledgedCount++;
  if (answer.status !== 200 && answer.status !== 201) return;
  const name = keyOf(session, path.split('/')[2] ?? '', answer.status);
  const own = acknowledged.get(name) ?? { calls: 0, turns: 0 };
  own.calls++;
  if (hasTurn) own.turns++;
  acknowledged.set(name, own);
}

/** The acknowledged calls whose row or turn is not stored (yet). */
async function findMissing(): Promise<string[]> {
  const { projectId } = stack.project;
  const rows = await stack.sql<
    { session: string; route: string; status: number; calls: number; turns: number }[]
  >`
    select c.session_id as session, c.route, c.status, count(*)::int as calls, count(t.id)::int as turns
    from gateway_calls c left join turns t on t.project_id = c.project_id and t.id = c.turn_id
    where c.project_id = ${projectId} group by 1, 2, 3`;
  const stored = new Map(
    rows.map(({ session, route, status, ...counts }) => [keyOf(session, route, status), counts]),
  );
  return [...acknowledged].flatMap(([name, { calls, turns }]) => {
    const own = stored.get(name) ?? { calls: 0, turns: 0 };
    return own.calls >= calls && own.turns >= turns
      ? []
      : [`${name}: ${own.calls} of ${calls} calls, ${own.turns} of ${turns} turns`];
  });
}

/** Counts of the calls by hour: written after the calls, by a timer. */
async function countCalls(): Promise<{ calls: number; dropped: number }> {
  const [row] = await stack.sql<{ calls: number; dropped: number }[]>`
    select coalesce(sum(calls), 0)::int as calls, coalesce(sum(dropped), 0)::int as dropped
    from gateway_rollups where project_id = ${stack.project.projectId}`;
  return row ?? { calls: 0, dropped: 0 };
}

/** Without verification, the client gets the upstream's bytes. */
function unlike(path: string, body: Buffer, { chunks, status, breaks }: Scripted): string | null {
  if (!path.includes('-off/') || status === 204 || breaks) return null;
  const expected = Buffer.concat(chunks);
  return body.equals(expected)
    ? null
    : `other bytes than the upstream's: ${body.toString('base64').slice(0, 300)}`;
}

/** Names of models found by earlier runs: PostgreSQL refused their turns, which were lost. */
const keptNames = ['"\\udc00"', '"a\\u0000b"', '"\\ud83d"'];

test.each(keptNames)(
  'R-106 regression case: the turn of a call to a model %s is stored',
  async (written) => {
    const answer = `{"model":${written},"choices":[{"message":{"role":"assistant","content":"It is 5%."}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`;
    const [before] = await stack.sql<{ n: number }[]>`select count(*)::int as n from turns`;
    const fault = await send({
      path: '/gateway/openai-observe/v1/chat/completions',
      body: Buffer.from(`{"model":${written},"messages":[{"role":"user","content":"How full?"}]}`),
      session: 'kept',
      hasTurn: true,
      answer: {
        status: 200,
        type: 'application/json',
        coding: null,
        chunks: [Buffer.from(answer)],
        breaks: false,
      },
    });
    expect(fault).toBe(null);
    await until('the turn is stored', async () => {
      const [now] = await stack.sql<{ n: number }[]>`select count(*)::int as n from turns`;
      return (now?.n ?? 0) > (before?.n ?? 0) ? true : null;
    });
  },
);

const extent = fuzzExtent(448);

test(
  'R-106 mutated model calls and mutated answers of the upstream: relayed or refused, each acknowledged call recorded, no server error, no stall, no growth',
  fuzzOptions(extent),
  async () => {
    await runCampaign<Input>({
      name: 'R-106 gateway',
      process: edge,
      extent,
      make: makeInput,
      run: send,
      show: ({ path, body, answer }) =>
        `POST ${path} ${body.toString('base64').slice(0, 1_500)} answered ${JSON.stringify({
          ...answer,
          chunks: answer.chunks.map((chunk) => chunk.toString('latin1').slice(0, 300)),
        })}`,
    });
    const counts = [...acknowledged.values()];
    const calls = counts.reduce((sum, own) => sum + own.calls, 0);
    const turns = counts.reduce((sum, own) => sum + own.turns, 0);
    reportFigure('R-106 gateway, acknowledged', { calls, 'observed turns': turns });
    expect(calls).toBeGreaterThan(sentCount / 2);
    expect(turns).toBeGreaterThan(sentCount / 50);
    let missing: string[] = [];
    await until('the recorder is done', async () => {
      missing = await findMissing();
      return missing.length === 0 && (await countCalls()).calls >= acknowledgedCount ? true : null;
    }).catch(() => null);
    expect(missing).toEqual([]);
    expect(await countCalls()).toEqual({ calls: expect.any(Number), dropped: 0 });
    expect((await countCalls()).calls).toBeGreaterThanOrEqual(acknowledgedCount);
  },
);
