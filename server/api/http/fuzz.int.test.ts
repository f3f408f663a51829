import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../../../scripts/data-dir.mjs';
import { type RouteExample, routeExamples } from '../../../scripts/docs/route-examples';
import { createTestLabelledTask, drainWork, insertTestReport } from '../../../testing/database';
import { faultOf, runCampaign } from '../../../testing/fuzz/campaign';
import {
  type ApiDescription,
  type Described,
  readDescription,
} from '../../../testing/fuzz/from-schema';
import { fuzzSeconds } from '../../../testing/fuzz/fuzz';
import {
  mutateRequest,
  type PlainRequest,
  type SentRequest,
  showRequest,
} from '../../../testing/fuzz/mutate-request';
import { pick } from '../../../testing/fuzz/mutate';
import { createSender, type Sender } from '../../../testing/fuzz/send';
import { type Edge, startEdge } from '../../../testing/processes';
import type { Random } from '../../../testing/seed';
import { createStack, type Stack } from '../../../testing/stack';
import { createKey } from '../../access';
import { intakePaths } from './intake';

// every route of the API with mutated requests, sent to an edge process.

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

/** A client that waits for a verdict leaves after this time: there is no worker. */
const PATIENCE_MS = 1_000;
const ANSWER_MS = 30_000;
const waits = /\/(verify|try|contracts)/;

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
  await insertTestReport(stack.runtime, stack.project, 'rep_06h01');
  const examples = await sendExamples();
  const described = await sender.send(
    { method: 'GET', path: '/openapi.json', headers: {}, body: null },
    60_000,
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

/** Sends the examples of the reference, except deletions, so that mutated ids name something. */
async function sendExamples(): Promise<(PlainRequest & { route: string })[]> {
  const saved = new Map<string, string>();
  const found: (PlainRequest & { route: string })[] = [];
  for (const example of routeExamples) {
    if (example.route.endsWith('/trials'))
      await createTestLabelledTask(stack.runtime, stack.project);
    const plain = fill(example, saved);
    found.push({ ...plain, route: example.route });
    if (example.route.startsWith('DELETE') || example.route === 'POST /v1/deletions') continue;
    const { method, path, body, raw } = plain;
    const type = raw?.type ?? 'application/json';
    const answer = await sender.send(
      {
        method,
        path,
        headers: { authorization: `Bearer ${key}`, 'content-type': type },
        body: method === 'GET' ? null : Buffer.from(raw?.text ?? JSON.stringify(body ?? {})),
      },
      60_000,
    );
    for (const [name, place] of Object.entries(example.save ?? {}))
      saved.set(name, valueAt(JSON.parse(String(answer?.body)), place));
    if (example.drain === true) await drainWork(stack.runtime);
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

/** The example, or one that the description gives, with more of the parameters. */
function plainRequest(target: Target, random: Random): PlainRequest {
  const { described, method, path, body, raw } = target;
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
  return { method, path: path + query, ...(raw === undefined ? { body: made } : { raw }) };
}

/** Answers in a format of their own: an encoded `Status`, Slack's, JSON-RPC. */
const ownErrors = new Set(intakePaths.keys());

interface Input {
  readonly route: string;
  readonly sent: SentRequest;
}

async function send({ route, sent }: Input): Promise<string | null> {
  const mayWait = waits.test(sent.path);
  const answer = await sender.send(sent, mayWait ? PATIENCE_MS : ANSWER_MS);
  if (answer === null) return mayWait ? null : 'no answer';
  const isJsonRoute = sent.method !== 'HEAD' && !ownErrors.has(route.split(' ')[1] ?? '');
  return faultOf(answer, isJsonRoute);
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
].map((body) => ({ route: 'POST /mcp', method: 'POST', path: '/mcp', body, described: null }));

test('R-106 the examples cover every route that the edge describes', () => {
  const known = new Set(routes.map(({ route }) => route));
  const missing = api.operations.filter(({ method, path }) => !known.has(`${method} ${path}`));
  expect(missing).toEqual([]);
});

/** Requests that were found, with the status that they have to have. */
const kept: readonly (readonly [string, string, number])[] = [
  // Not a GET: it went to a thread, whose request must not have a body.
  ['HEAD', '/v1/destinations', 200],
  ['HEAD', '/v1/verifications?limit=200', 200],
  ['HEAD', '/v1/turns/no-such-turn', 404],
  // Hono's server answers these by itself, and said nothing.
  ['GET', '/v1/findings\\?state=open', 400],
  ['POST', '/v1/deliveries/none\\replay', 400],
];

test.each(kept)('R-106 kept case: %s %s is %i', async (method, path, status) => {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await sender.send({ method, path, headers, body: null }, 30_000);
  expect(answer?.status).toBe(status);
  expect(answer && faultOf(answer, method !== 'HEAD')).toBe(null);
});

const seconds = fuzzSeconds(1, 15);

test(
  'R-106 mutated requests to every route: no server error, a refusal names its problem, no stall, no growth',
  async () => {
    const targets = [...routes, ...mcpRequests];
    const inputs = await runCampaign<Input>({
      name: 'R-106 routes',
      process: edge,
      seconds,
      make(random, nth) {
        // Each route in turn: a random choice would leave some out of a short run.
        const target = targets[nth % targets.length] ?? pick(targets, random);
        return {
          route: target.route,
          sent: mutateRequest(plainRequest(target, random), key, random),
        };
      },
      run: send,
      show: ({ sent }) => showRequest(sent),
    });
    expect(inputs).toBeGreaterThan(0);
  },
  seconds * 1000 + 240_000,
);
