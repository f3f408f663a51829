// LangSmith in its OpenTelemetry mode, with its endpoint and key changed. Its variables are read
// while its modules load.
import { assay } from './conversation.mjs';

Object.assign(process.env, {
  LANGSMITH_TRACING: 'true',
  LANGSMITH_OTEL_ENABLED: 'true',
  LANGSMITH_ENDPOINT: assay.url,
  LANGSMITH_API_KEY: assay.key,
});
const { initializeOTEL } = await import('langsmith/experimental/otel/setup');
const { Client } = await import('langsmith');
const { LangChainTracer } = await import('@langchain/core/tracers/tracer_langchain');
const { runAgent } = await import('./langchain-agent.mjs');

const { DEFAULT_LANGSMITH_SPAN_PROCESSOR: processor } = initializeOTEL();
const client = new Client();
await runAgent({
  callbacks: [new LangChainTracer({ client })],
  metadata: { session_id: assay.session },
});
await client.awaitPendingTraceBatches();
await processor.shutdown();
