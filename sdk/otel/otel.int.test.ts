import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { context, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import type { Verification } from '../client/turn';
import {
  assayExporterOptions,
  recordAnswer,
  recordDocuments,
  recordToolResult,
  withSession,
} from './index';

/**
 * The purpose of the OpenTelemetry names: a host's own spans become a turn with its sources, and
 * get a verdict.
 */

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
});

afterAll(() => stack.close());

test.each([
  ['JSON', JsonExporter],
  ['protobuf', ProtoExporter],
])(
  'a recorded tool result and document are sources of the host’s answer, over %s',
  async (encoding, Exporter) => {
    const session = `otel-${encoding}`;
    const provider = new BasicTracerProvider({
      spanProcessors: [
        new BatchSpanProcessor(
          new Exporter(assayExporterOptions({ url: edge.url, key: stack.key })),
        ),
      ],
    });
    const tracer = provider.getTracer('host');
    // Explicit times: the SDK truncates a span's start to milliseconds, and this host finishes
    // within one.
    const at = Date.now() - 100;
    const root = tracer.startSpan('answer', {
      startTime: at,
      attributes: withSession({ sessionId: session }),
    });
    const within = trace.setSpan(context.active(), root);
    const tool = tracer.startSpan('disk', { startTime: at }, within);
    recordToolResult(tool, {
      name: 'disk',
      id: 'call-1',
      arguments: { host: 'web-1' },
      result: { disk_pct: 91.4 },
    });
    tool.end(at + 10);
    const search = tracer.startSpan('search', { startTime: at + 10 }, within);
    recordDocuments(search, [{ id: 'doc-1', content: 'The limit is 95 %.' }]);
    search.end(at + 20);
    const model = tracer.startSpan(
      'chat',
      { startTime: at + 20, attributes: withSession({ sessionId: session }) },
      within,
    );
    recordAnswer(model, {
      provider: 'openai',
      model: 'gpt-4o',
      input: 'How full is web-1?',
      output: 'web-1 is at 91.4 %, the limit is 95 %, and 77 GB are free.',
    });
    model.end(at + 90);
    root.end(at + 95);
    await provider.shutdown();
    const verdicts = await until('a verdict', async () => {
      const response = await fetch(`${edge.url}/v1/verifications?session_id=${session}`, {
        headers: { authorization: `Bearer ${stack.key}` },
      });
      const { data } = (await response.json()) as { data: Verification[] };
      return data.length > 0 ? data : null;
    });
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({
      outcome: 'failed',
      model: 'openai/gpt-4o',
      integrity: { unsourced: 1 },
    });
    expect(verdicts[0]?.integrity?.figures.map(({ text, sourced }) => [text, sourced])).toEqual([
      ['91.4 %', true],
      ['95 %', true],
      ['77', false],
    ]);
  },
);
