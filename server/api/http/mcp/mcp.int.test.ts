// The Model Context Protocol at /mcp, by the official client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../../testing/app';
import { createTestProject, drainWork } from '../../../../testing/database';
import { test } from '../../../../testing/fixture';
import { createKey, type KeyScope, type ProjectCtx } from '../../../access';
import type { Runtime } from '../../../runtime';
import { toolRequestOf } from './tool-request';
import { mcpTools } from './tools';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const all: KeyScope[] = ['ingest', 'verify', 'read', 'write'];
const keyOf = async (scopes: KeyScope[], of = project): Promise<string> =>
  (await createKey(of, { name: 'agent', scopes })).key;

const request = (path: string, init: RequestInit): Promise<Response> =>
  Promise.resolve(appOf(runtime).request(path, init));

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('http://edge.test/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (url, init) => request(new URL(url).pathname, init ?? {}),
  });
  await client.connect(transport);
  return client;
}

interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

async function call(client: Client, name: string, given: object = {}): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...given } });
  const [first] = result.content as { text: string }[];
  const text = first?.text ?? '';
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { isError: result.isError === true, text, json };
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

const items = (called: Called): Record<string, unknown>[] =>
  called.json.data as Record<string, unknown>[];

async function sendTurn(key: string, id: string): Promise<void> {
  const turn = {
    id,
    tools: [{ id: 'c1', name: 'disk', arguments: {}, result: { pct: 91.4 } }],
    output: 'web-1 is at 95%.',
  };
  await request('/v1/turns', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns: [turn] }),
  });
  await drainWork(runtime);
}

describe('tools', () => {
  test('a key lists the tools of its scopes, and calls no other', async () => {
    const reader = await connect(await keyOf(['read']));
    const listed = await namesOf(reader);
    expect(listed).toContain('explain_verdict');
    expect(listed).toEqual(
      mcpTools.filter(({ route }) => route.scope === 'read').map(({ name }) => name),
    );
    expect(await call(reader, 'label', { subject_id: 't' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('lacks the scope "write"') as string,
    });
    expect(await namesOf(await connect(await keyOf(all)))).toEqual(
      mcpTools.map(({ name }) => name),
    );
  });

  test('an agent reads a failed verdict, explains it, labels it and saves a prompt draft; writes are audited', async () => {
    const key = await keyOf(all);
    await sendTurn(key, 't-1');
    const agent = await connect(key);
    const [verdict] = items(await call(agent, 'list_verdicts', { outcome: 'failed', limit: 5 }));
    const id = String(verdict?.id);
    const explained = await call(agent, 'explain_verdict', { id });
    expect(explained.text).toContain('95');
    const labelled = await call(agent, 'label', {
      verification_id: id,
      verdict: 'unsourced',
      reason: 'The disk says 91.4.',
    });
    expect(labelled).toMatchObject({ isError: false });
    expect(items(await call(agent, 'list_findings'))).toEqual([]);
    const draft = await call(agent, 'save_prompt_draft', {
      slug: 'support',
      body: '---\ntitle: Support\ndescription: Answers\noutput: message\n---\nBe short.\n',
    });
    expect(draft.isError).toBe(false);
    const audited = await runtime.ctx.sql<{ action: string }[]>`
      select action from audit_events where project_id = ${project.projectId} order by id`;
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['prompts.save']) as string[],
    );
    expect((await call(agent, 'get_prompt', { slug: 'support' })).isError).toBe(false);
  });

  test('figures of a text are verified', async () => {
    const agent = await connect(await keyOf(all));
    const checked = await call(agent, 'verify_figures', {
      output: 'It is at 95%.',
      tools: [{ id: 'c1', name: 'disk', arguments: {}, result: { pct: 91.4 } }],
    });
    expect(checked.text).toContain('unsourced');
  });

  test('another project stays hidden, and a refusal names the argument', async () => {
    const other = await createTestProject(runtime);
    const theirs = await keyOf(all, other);
    await sendTurn(theirs, 't-theirs');
    const agent = await connect(await keyOf(all));
    expect(await call(agent, 'get_turn', { id: 't-theirs' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('not_found') as string,
    });
    expect((await call(agent, 'explain_verdict')).text).toContain('id');
    expect((await call(agent, 'list_verdicts', { outcom: 'failed' })).text).toContain('outcom');
    expect((await call(agent, 'list_verdicts', { limit: -1 })).text).toContain('limit');
    expect((await call(agent, 'drop_tables')).text).toContain('There is no tool');
  });

  test('every tool has a schema, and answers any arguments with a result', async () => {
    const agent = await connect(await keyOf(all));
    for (const { name, inputSchema } of (await agent.listTools()).tools) {
      expect(inputSchema.type).toBe('object');
      for (const given of [{}, { id: '..' }, { slug: '../x', id: 'a/b', limit: 'x' }, { body: 1 }])
        expect((await call(agent, name, given)).text, name).not.toContain('"internal"');
    }
  });
});

describe('requests', () => {
  const explain = mcpTools.find(({ name }) => name === 'explain_verdict');

  test.for(['', '.', '..'])('a part of the path is an id: "%s" is refused', (id) => {
    if (explain === undefined) throw new Error('no tool');
    expect(() => toolRequestOf(explain, { id })).toThrow('must be an id');
  });

  test('a part of the path is written as one part', () => {
    if (explain === undefined) throw new Error('no tool');
    expect(toolRequestOf(explain, { id: '../turns?x=1#y' }).path).toBe(
      '/v1/verifications/..%2Fturns%3Fx%3D1%23y',
    );
  });

  const post = (key: string | null, body: string): Promise<Response> =>
    request('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body,
    });

  test('without a key, with an unknown one, and with one that has no scope of a tool', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await post(null, message)).status).toBe(401);
    expect((await post('assay_unknown', message)).status).toBe(401);
    expect((await post(await keyOf(['ingest']), message)).status).toBe(403);
  });

  test('a message that is too large or no JSON is refused; there are no sessions', async () => {
    const key = await keyOf(['read']);
    expect((await post(key, `{"x":"${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413);
    expect((await post(key, '{"jsonrpc"')).status).toBe(400);
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    expect((await request('/mcp', { method: 'GET', headers })).status).toBe(405);
    expect((await request('/mcp', { method: 'DELETE', headers })).status).toBe(405);
  });
});
