// OpenTelemetry's own instrumentation: spans, and messages as log records.
import { createRequire } from 'node:module';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { trace } from '@opentelemetry/api';
import { assay, talk } from './conversation.mjs';

process.env.OTEL_EXPORTER_OTLP_ENDPOINT = assay.url;
process.env.OTEL_EXPORTER_OTLP_HEADERS = `authorization=Bearer ${assay.key}`;
process.env.OTEL_LOGS_EXPORTER = 'otlp';
process.env.OTEL_METRICS_EXPORTER = 'none';
const sdk = new NodeSDK({
  instrumentations: [
    new OpenAIInstrumentation({ captureMessageContent: process.env.WITHOUT_CONTENT === undefined }),
  ],
});
sdk.start();
const { OpenAI } = createRequire(import.meta.url)('openai');
const client = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });
const attributes = { 'session.id': assay.session };
await trace.getTracer('app').startActiveSpan('ask', { attributes }, async (span) => {
  await talk(client);
  span.end();
});
await sdk.shutdown();
