// OpenTelemetry's own instrumentation: spans, and messages as log records.
import { createRequire } from 'node:module';
import { logs } from '@opentelemetry/api-logs';
import { trace } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { assay, talk } from './conversation.mjs';

process.env.OTEL_EXPORTER_OTLP_ENDPOINT = assay.url;
process.env.OTEL_EXPORTER_OTLP_HEADERS = `authorization=Bearer ${assay.key}`;
process.env.OTEL_LOGS_EXPORTER = 'none';
process.env.OTEL_METRICS_EXPORTER = 'none';
const instrumentation = new OpenAIInstrumentation({
  captureMessageContent: process.env.WITHOUT_CONTENT === undefined,
});
const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
const exporter = new OTLPLogExporter();
const loggers = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] });
logs.setGlobalLoggerProvider(loggers);
instrumentation.setLoggerProvider(loggers);
const { OpenAI } = createRequire(import.meta.url)('openai');
const client = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });
const attributes = { 'session.id': assay.session };
await trace.getTracer('app').startActiveSpan('ask', { attributes }, async (span) => {
  await talk(client);
  span.end();
});
await loggers.shutdown();
await sdk.shutdown();
