import { observeOpenAI } from '@langfuse/openai';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import OpenAI from 'openai';
import { assay, question, talk } from './conversation.mjs';

const processor = new LangfuseSpanProcessor({
  baseUrl: assay.url,
  publicKey: 'pk',
  secretKey: assay.key,
});
const provider = new NodeTracerProvider({ spanProcessors: [processor] });
provider.register();
const client = observeOpenAI(new OpenAI({ baseURL: assay.llm, apiKey: 'none' }));
await startActiveObservation('ops', (span) =>
  propagateAttributes({ sessionId: assay.session }, async () => {
    const output = await talk(client);
    span.update({ input: question, output });
  }),
);
await provider.shutdown();
