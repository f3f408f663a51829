import { LangfuseSpanProcessor } from '@langfuse/otel';
import {
  propagateAttributes,
  setLangfuseTracerProvider,
  startActiveObservation,
  startObservation,
} from '@langfuse/tracing';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { drainWork } from '../../../testing/database';
import { type Edge, startEdge } from '../../../testing/processes';
import { createStack, type Stack } from '../../../testing/stack';

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
});

afterAll(() => stack.close());

/**
 * An agent as Langfuse's documentation writes one: a generation that answers from a tool's result.
 */
async function traceAgent(secretKey: string): Promise<void> {
  const processor = new LangfuseSpanProcessor({
    baseUrl: edge.url,
    publicKey: 'pk',
    secretKey,
    exportMode: 'batched',
  });
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  provider.register();
  setLangfuseTracerProvider(provider);
  await startActiveObservation('ops-agent', async (span) => {
    await propagateAttributes(
      { sessionId: 'lf-session', userId: 'u-1', tags: ['langfuse'] },
      async () => {
        span.update({ input: 'How full is web-1?' });
        const tool = startObservation('disk', { input: { host: 'web-1' } }, { asType: 'tool' });
        tool.update({ output: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } }).end();
        const generation = startObservation(
          'answer',
          { model: 'gpt-4o', input: [{ role: 'user', content: 'How full is web-1?' }] },
          { asType: 'generation' },
        );
        generation
          .update({
            output: 'web-1 is at 91.4% now, with 12 GiB free.',
            usageDetails: { input: 90, output: 12 },
          })
          .end();
        span.update({ output: 'web-1 is at 91.4% now, with 12 GiB free.' });
        await Promise.resolve();
      },
    );
  });
  await provider.forceFlush();
  await provider.shutdown();
}

test("Langfuse's SDK with its address and key changed: one turn with the tool's result as its source, and a verdict", async () => {
  await traceAgent(stack.key);
  await drainWork(stack.runtime);
  const turns = await stack.sql<
    { id: string; session_id: string; model: string; payload: string }[]
  >`
    select id, session_id, model, payload from turns`;
  expect(turns).toHaveLength(1);
  expect(turns[0]).toMatchObject({
    session_id: 'lf-session',
    model: expect.stringContaining('gpt-4o'),
  });
  const payload = JSON.parse(turns[0]?.payload ?? '{}') as Record<string, unknown>;
  expect(payload).toMatchObject({ tags: ['langfuse'], tokens: { input: 90, output: 12 } });
  expect(JSON.stringify(payload.tools)).toContain('91.4');
  const [verdict] = await stack.sql<
    { outcome: string; detail: { unsourced: number } }[]
  >`select outcome, detail from verdicts`;
  expect(verdict).toMatchObject({ outcome: 'failed', detail: { unsourced: 1 } });
});

test('with a secret that is not a key nothing is stored', async () => {
  const answer = await fetch(`${edge.url}/api/public/otel/v1/traces`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('pk:sk-lf-none')}`,
      'content-type': 'application/json',
    },
    body: '{"resourceSpans":[]}',
  });
  expect([answer.status, await answer.json()]).toEqual([
    401,
    {
      code: 16,
      message: 'The API key is unknown or was revoked; create one in the project settings.',
    },
  ]);
});
