import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, expect, test } from 'vitest';
import {
  assayExporterOptions,
  recordAnswer,
  recordDocuments,
  recordToolResult,
  type SpanLike,
  withSession,
} from './index';

/** An enum of a package that the exporters depend on. */
type Compression = NonNullable<
  NonNullable<ConstructorParameters<typeof JsonExporter>[0]>['compression']
>;

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
}).getTracer('test');

afterEach(() => exporter.reset());

/** The attributes of a real span after the recording. */
function recorded(record: (span: SpanLike) => void): Record<string, unknown> {
  const span = tracer.startSpan('work');
  record(span);
  span.end();
  return { ...exporter.getFinishedSpans()[0]?.attributes };
}

test('options are those of the OTLP exporters, in JSON and in protobuf', () => {
  const options = assayExporterOptions({ url: 'http://localhost:4318/', key: ' asy_x\n' });
  expect(options).toEqual({
    url: 'http://localhost:4318/v1/traces',
    headers: { authorization: 'Bearer asy_x' },
  });
  const packed = assayExporterOptions({
    url: 'https://assay.example',
    key: 'asy_x',
    compression: 'gzip' as Compression,
  });
  expect(packed.compression).toBe('gzip');
  for (const made of [
    new JsonExporter(options),
    new ProtoExporter(options),
    new JsonExporter(packed),
    new ProtoExporter(packed),
  ]) {
    expect(made).toHaveProperty('export');
  }
});

test('names of a session', () => {
  expect(
    recorded((span) =>
      span.setAttributes(withSession({ sessionId: 's-1', taskId: 't-1' }, { own: true })),
    ),
  ).toEqual({
    own: true,
    'assay.session.id': 's-1',
    'assay.task.id': 't-1',
    'gen_ai.conversation.id': 's-1',
  });
});

test('a tool result is recorded with its call: text unchanged and everything else as JSON', () => {
  expect(
    recorded((span) =>
      recordToolResult(span, {
        name: 'disk',
        id: 'tc1',
        arguments: { host: 'web-1' },
        result: { disk_pct: 91.4 },
      }),
    ),
  ).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'disk',
    'gen_ai.tool.call.id': 'tc1',
    'gen_ai.tool.call.arguments': '{"host":"web-1"}',
    'gen_ai.tool.call.result': '{"disk_pct":91.4}',
  });
  expect(recorded((span) => recordToolResult(span, { name: 'x', result: '91.40' }))).toBeDefined();
});

test('a value that JSON cannot represent throws nothing into the host', () => {
  expect(
    recorded((span) => recordToolResult(span, { name: 'x', result: 1n }))[
      'gen_ai.tool.call.result'
    ],
  ).toMatch(/^\[not JSON: /);
  expect(
    recorded((span) => recordToolResult(span, { name: 'x', result: undefined })),
  ).toBeDefined();
});

test('documents of a retrieval', () => {
  expect(
    recorded((span) =>
      recordDocuments(span, [{ id: 'd1', content: 'first' }, { content: 'second' }]),
    ),
  ).toEqual({
    'openinference.span.kind': 'RETRIEVER',
    'retrieval.documents.0.document.id': 'd1',
    'retrieval.documents.0.document.content': 'first',
    'retrieval.documents.1.document.content': 'second',
  });
});

test('an answer that no instrumentation records', () => {
  const answer = {
    provider: 'openai',
    model: 'gpt-4o',
    input: 'How full?',
    output: '91.4 %',
    tokens: { input: 9, output: 4 },
  };
  expect(recorded((span) => recordAnswer(span, answer))).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"How full?"}]}]',
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"text","content":"91.4 %"}],"finish_reason":"stop"}]',
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.output_tokens': 4,
  });
});
