// A usual OpenTelemetry setup of an application, with its own exporter.
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { assay } from './conversation.mjs';

export const exporter = new OTLPTraceExporter({
  url: `${assay.url}/v1/traces`,
  headers: { authorization: `Bearer ${assay.key}` },
});
export const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(exporter)],
});
provider.register();

/** Runs work inside a span of the application, then sends all spans. */
export async function traced(work, attributes = {}) {
  await trace.getTracer('app').startActiveSpan('ask', { attributes }, async (span) => {
    await work();
    span.end();
  });
  await provider.shutdown();
}
