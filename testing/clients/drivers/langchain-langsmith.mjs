// LangSmith in its OpenTelemetry mode, with its exporter at Assay's address.
import { initializeOTEL } from 'langsmith/experimental/otel/setup';
import { assay } from './conversation.mjs';
import { runAgent } from './langchain-agent.mjs';

process.env.LANGSMITH_TRACING = 'true';
process.env.LANGSMITH_OTEL_ENABLED = 'true';
const { DEFAULT_LANGSMITH_SPAN_PROCESSOR: processor } = initializeOTEL({
  exporterConfig: {
    url: `${assay.url}/v1/traces`,
    headers: { authorization: `Bearer ${assay.key}` },
  },
});
await runAgent({ metadata: { session_id: assay.session } });
await processor.shutdown();
