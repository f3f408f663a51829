import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findFreePort } from '../../scripts/postgres.mjs';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { type Cli, createCli } from '../../testing/run-cli';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';

/** `assay mcp` as a process of an agent, by the official client, against a real edge and worker. */

let stack: Stack;
let edge: Edge;
let cli: Cli;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  cli = await createCli({ ASSAY_URL: edge.url, ASSAY_API_KEY: stack.key });
});

afterAll(async () => {
  cli.close();
  await stack.close();
});

async function connect(variables: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli.file, 'mcp'],
      env: { PATH: process.env.PATH ?? '', ...variables },
      stderr: 'pipe',
    }),
  );
  return client;
}

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content[0]?.text ?? '';

test('an agent finds a failed verdict of a turn and has it explained', async () => {
  await cli.run(['send', '-', '--wait', '30'], JSON.stringify(sampleTurn('mcp-1')));
  const agent = await connect({ ASSAY_URL: edge.url, ASSAY_API_KEY: stack.key });
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toContain('explain_verdict');
  const listed = await agent.callTool({ name: 'list_verdicts', arguments: { outcome: 'failed' } });
  const { data } = JSON.parse(textOf(listed)) as { data: { id: string }[] };
  expect(data).toHaveLength(1);
  const calls = Array.from({ length: 20 }, () =>
    agent.callTool({ name: 'explain_verdict', arguments: { id: data[0]?.id ?? '' } }),
  );
  for (const explained of await Promise.all(calls))
    expect(textOf(explained)).toContain('"outcome":"failed"');
  await agent.close();
});

test('a wrong key and an unavailable server are errors of the request', async () => {
  await expect(connect({ ASSAY_URL: edge.url, ASSAY_API_KEY: 'wrong' })).rejects.toThrow(
    'unknown or was revoked',
  );
  const away = `http://127.0.0.1:${await findFreePort()}`;
  await expect(connect({ ASSAY_URL: away, ASSAY_API_KEY: stack.key })).rejects.toThrow('fetch');
});

test('it ends with its input', async () => {
  expect(await cli.run(['mcp'])).toMatchObject({ code: 0, out: '' });
  expect(await cli.run(['mcp', '--help'])).toMatchObject({ code: 0 });
});
