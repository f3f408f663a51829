import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../../../scripts/data-dir.mjs';
import { type RouteExample, routeExamples } from '../../../scripts/docs/route-examples';
import { createTestLabelledTask, drainJobs, drainWork } from '../../../testing/database';
import { finishBaseline, insertScheduleResults } from '../../../testing/example-rows';
import { faultOf, runCampaign } from '../../../testing/fuzz/campaign';
import {
  type ApiDescription,
  type Described,
  readDescription,
} from '../../../testing/fuzz/from-schema';
import { fuzzExtent, fuzzOptions } from '../../../testing/fuzz/extent';
import {
  mutateRequest,
  type PlainRequest,
  type SentRequest,
  showRequest,
  withoutWait,
} from '../../../testing/fuzz/mutate-request';
import { pick } from '../../../testing/fuzz/mutate';
import { createSender, type HttpAnswer, type Sender } from '../../../testing/fuzz/send';
import { StatusCounts } from '../../../testing/fuzz/status-counts';
import { reportFigure } from '../../../testing/figures';
import { type Edge, startEdge } from '../../../testing/processes';
import type { Random } from '../../../testing/seed';
import { createStack, type Stack } from '../../../testing/stack';
import { createKey } from '../../access';
import { intakePaths } from './intake';

// every route of the API with mutated requests, sent to an edge process.

const MIN_SUCCESS_PERCENT = 15;
/** A setting that names an unreachable service may make a route unavailable. */
const MAX_UNAVAILABLE_PERCENT = 5;
/** Slack signs its requests: none of the others is accepted. */
const neverSucceeds = new Set(['POST /v1/destinations/{id}/actions']);

let stack: Stack;
let edge: Edge;
let sender: Sender;
let key: string;
let dataDir: string;
let api: ApiDescription;
let routes: readonly Target[];

interface Target extends PlainRequest {
  readonly route: string;
  readonly described: Described | null;
}

/** Only terminates a hanging request. */
const ANSWER_MS = 120_000;
/** Routes that wait for a worker; none is running. */
const waits = /^POST \/(v1\/verify\/|verify-task|v1\/verifiers\/\{verifier\}\/try)/;
/** All answers, and those of the campaign alone. */
const statuses = new StatusCounts();
const mutated = new StatusCounts();

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  dataDir = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  ({ key } = await createKey(stack.project, {
    name: 'fuzz',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  }));
  const alone = pathToFileURL(join(root, 'testing', 'fuzz', 'no-names.mjs'));
  edge = await startEdge(
    { ...stack.variables, ASSAY_DATA_DIR: dataDir, NODE_OPTIONS: `--import=${alone.href}` },
    true,
  );
  sender = createSender(edge.url);
  const examples = await sendExamples();
  const described = await sender.send(
    { method: 'GET', path: '/openapi.json', headers: {}, body: null },
    ANSWER_MS,
  );
  api = readDescription(JSON.parse(String(described?.body)) as Record<string, unknown>);
  routes = examples.map((example) => ({
    ...example,
    described:
      api.operations.find(({ method, path }) => `${method} ${path}` === example.route) ?? null,
  }));
});

afterAll(async () => {
  sender.close();
  await stack.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const isDeletion = (route: string): boolean =>
  route.startsWith('DELETE') || route === 'POST /v1/deletions';

/** Sends a request unchanged. */
async function sendPlain({ method, path, body, raw, accept }: PlainRequest): Promise<HttpAnswer> {
  const sent = {
    method,
    path,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': raw?.type ?? 'application/json',
      ...(accept !== undefined && { accept }),
    },
    body: method === 'GET' ? null : Buffer.from(raw?.text ?? JSON.stringify(body ?? {})),
  };
  const answer = await sender.send(sent, ANSWER_MS);
  if (answer === null) throw new Error(`no answer: ${showRequest(sent)}`);
  return answer;
}

/**
 * Sends the examples of the reference, except those of DELETE, so that mutated ids name something.
 * @throws Error if one is refused
 */
async function sendExamples(): Promise<(PlainRequest & { route: string })[]> {
  const { runtime, project } = stack;
  const saved = new Map<string, string>();
  const found: (PlainRequest & { route: string })[] = [];
  for (const example of routeExamples) {
    const { route, status: expected = 200, save = {}, drain } = example;
    if (route === 'GET /v1/deliveries') await insertScheduleResults(runtime, project);
    if (route.endsWith('/trials')) await createTestLabelledTask(runtime, project);
    const plain = fill(example, saved);
    found.push({ ...plain, route });
    if (route.startsWith('DELETE')) continue;
    const { status, body } = await sendPlain(plain);
    if (status >= 400 && status !== expected)
      throw new Error(`${route}: ${status} ${String(body)}`);
    statuses.add(route, status);
    for (const [name, place] of Object.entries(save))
      saved.set(name, valueAt(JSON.parse(String(body)), place));
    if (drain === true) await drainWork(runtime);
    if (route.endsWith('/finish')) await drainJobs(runtime);
    if (route === 'GET /v1/experiments/{id}')
      saved.set('baseline', await finishBaseline(runtime, project));
  }
  return found;
}

function fill(
  { route, path, body, raw }: RouteExample,
  saved: ReadonlyMap<string, string>,
): PlainRequest {
  const filled = path.replace(/\$(\w+)/g, (_, name: string) => saved.get(name) ?? 'none');
  const prompt = `${saved.get('prompt') ?? ''}\n`;
  const written = JSON.stringify(body, (_, value: unknown) =>
    value === '$prompt' ? prompt : value,
  );
  return {
    method: route.split(' ', 1)[0] ?? '',
    path: filled,
    ...(body !== undefined && { body: JSON.parse(written) as unknown }),
    ...(raw !== undefined && { raw }),
  };
}

function valueAt(answer: unknown, place: string): string {
  let at: unknown = answer;
  for (const name of place.split('.'))
    at = typeof at === 'object' && at !== null ? new Map(Object.entries(at)).get(name) : undefined;
  return typeof at === 'string' ? at : 'none';
}

/** The example, or one from the description with more of the parameters. */
function plainRequest(target: Target, random: Random): PlainRequest {
  const { described, method, path, body, raw, accept, route } = target;
  const parameters = (described?.query ?? []).flatMap(({ name, schema }) => {
    const value = random.next() < 0.2 ? api.example(schema, random) : undefined;
    return value === undefined || value === null
      ? []
      : [
          `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
        ];
  });
  const query =
    parameters.length === 0 ? '' : `${path.includes('?') ? '&' : '?'}${parameters.join('&')}`;
  const made =
    described?.body !== undefined && described.body !== null && random.next() < 0.4
      ? api.example(described.body, random)
      : body;
  return {
    method,
    path: path + query,
    ...(raw === undefined ? { body: isDeletion(route) ? withoutIds(made) : made } : { raw }),
    ...(accept !== undefined && { accept }),
    ...(waits.test(route) && { finishBody: withoutWait }),
  };
}

/** The body of a deletion with a nonexistent id, since the other routes need the data. */
const withoutIds = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'id' in body ? { ...body, id: 'none' } : body;

/** The path of a DELETE, of a target or by mutation, without the ids that exist. */
function withoutIdsIn(path: string, target: Target): string {
  const names = target.route.split(' ')[1]?.split('/') ?? [];
  const ids = target.path.split('?')[0]?.split('/') ?? [];
  const [before = '', ...query] = path.split('?');
  const segments = before
    .split('/')
    .map((segment, at) =>
      names[at]?.startsWith('{') === true && segment === ids[at] ? `none-${segment}` : segment,
    );
  return [segments.join('/'), ...query].join('?');
}

function makeInput(target: Target, random: Random): Input {
  const sent = mutateRequest(plainRequest(target, random), key, random);
  return {
    route: target.route,
    sent: sent.method === 'DELETE' ? { ...sent, path: withoutIdsIn(sent.path, target) } : sent,
  };
}

/** Answers in their own format: an encoded `Status`, Slack's, JSON-RPC. */
const ownErrors = new Set(intakePaths.keys());

interface Input {
  readonly route: string;
  readonly sent: SentRequest;
}

async function send({ route, sent }: Input): Promise<string | null> {
  const answer = await sender.send(sent, ANSWER_MS);
  if (answer === null) return 'no answer';
  statuses.add(route, answer.status);
  mutated.add(route, answer.status);
  const isJsonRoute = sent.method !== 'HEAD' && !ownErrors.has(route.split(' ')[1] ?? '');
  return faultOf(answer, { sent, isJsonRoute });
}

const mcp = (method: string, params: object): unknown => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const mcpRequests: readonly Target[] = [
  mcp('tools/list', {}),
  mcp('tools/call', { name: 'list_verdicts', arguments: { limit: 1 } }),
].map((body) => ({
  route: 'POST /mcp',
  method: 'POST',
  path: '/mcp',
  accept: 'application/json, text/event-stream',
  body,
  described: null,
}));

test('R-106 the examples cover every route that the edge describes', () => {
  const known = new Set(routes.map(({ route }) => route));
  const missing = api.operations.filter(({ method, path }) => !known.has(`${method} ${path}`));
  expect(missing).toEqual([]);
});

/** Requests found by earlier runs, with the expected status. */
const kept: readonly (readonly [string, string, number])[] = [
  // Not a GET: it went to a thread, whose request must not have a body.
  ['HEAD', '/v1/destinations', 200],
  ['HEAD', '/v1/verifications?limit=200', 200],
  ['HEAD', '/v1/turns/no-such-turn', 404],
  // Hono's server answered these by itself, without a message.
  ['GET', '/v1/findings\\?state=open', 400],
  ['POST', '/v1/deliveries/none\\replay', 400],
  // The refusal repeats the value, and shows no internals.
  ['GET', '/v1/findings?state=undefined', 400],
];

test.each(kept)('R-106 regression case: %s %s is %i', async (method, path, status) => {
  const sent = { method, path, headers: { authorization: `Bearer ${key}` }, body: null };
  const answer = await sender.send(sent, ANSWER_MS);
  expect(answer?.status).toBe(status);
  expect(answer && faultOf(answer, { sent, isJsonRoute: method !== 'HEAD' })).toBe(null);
});

test('R-106 a refusal that shows internals is a fault, one that repeats the request is not', () => {
  const answerOf = (message: string): HttpAnswer => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ error: { message } })),
  });
  const fault = (message: string, path: string): string | null =>
    faultOf(answerOf(message), {
      sent: { method: 'GET', path, headers: {}, body: null },
      isJsonRoute: true,
    });
  expect(fault('`state` must be open, not `undefined`', '/a?state=undefined')).toBe(null);
  expect(fault('must have at most undefined characters', '/a')).toContain('internals');
  for (const message of [
    "Cannot read properties of undefined (reading 'a')",
    '"x" is undefined',
    'undefined is not a function',
  ])
    expect(fault(message, '/a?state=undefined'), message).toContain('internals');
});

const extent = fuzzExtent(320);

test(
  'R-106 mutated requests to every route: no server error, a refusal names its problem, no stall, no growth',
  fuzzOptions(extent),
  async () => {
    const targets = [...routes, ...mcpRequests];
    for (const target of mcpRequests) statuses.add(target.route, (await sendPlain(target)).status);
    await runCampaign<Input>({
      name: 'R-106 routes',
      process: edge,
      extent,
      // Each route in turn: a random choice would omit some in a short run.
      make: (random, nth) =>
        makeInput(targets[nth % targets.length] ?? pick(targets, random), random),
      run: send,
      show: ({ sent }) => showRequest(sent),
    });
    reportFigure('R-106 routes, answers', {
      'below 400 %': Math.round(mutated.percentOf((status) => status < 400)),
      '503 %': Math.round(mutated.percentOf((status) => status === 503)),
    });
    expect(mutated.percentOf((status) => status < 400)).toBeGreaterThan(MIN_SUCCESS_PERCENT);
    expect(mutated.percentOf((status) => status === 503)).toBeLessThan(MAX_UNAVAILABLE_PERCENT);
    expect(
      statuses
        .routesWithoutSuccess()
        .filter((route) => !neverSucceeds.has(route) && !isDeletion(route)),
    ).toEqual([]);
    // The campaign deleted no data that an example reads.
    const missing = [];
    for (const target of routes.filter(({ method }) => method === 'GET')) {
      const { status } = await sendPlain(target);
      if (status >= 400) missing.push([target.route, status]);
    }
    expect(missing).toEqual([]);
  },
);
