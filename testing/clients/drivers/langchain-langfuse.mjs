import { CallbackHandler } from '@langfuse/langchain';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { assay } from './conversation.mjs';
import { runAgent } from './langchain-agent.mjs';

const processor = new LangfuseSpanProcessor({
  baseUrl: assay.url,
  publicKey: 'pk',
  secretKey: assay.key,
});
const provider = new NodeTracerProvider({ spanProcessors: [processor] });
provider.register();
await runAgent({ callbacks: [new CallbackHandler({ sessionId: assay.session })] });
await provider.shutdown();
