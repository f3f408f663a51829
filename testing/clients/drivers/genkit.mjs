// Genkit has OpenTelemetry 1: its exporter and its processor are from that release line.
import { openAI } from '@genkit-ai/compat-oai/openai';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { genkit, z } from 'genkit';
import { enableTelemetry, flushTracing } from 'genkit/tracing';
import { assay, description, model, question, reading } from './conversation.mjs';

const exporter = new OTLPTraceExporter({
  url: `${assay.url}/v1/traces`,
  headers: { authorization: `Bearer ${assay.key}` },
});
await enableTelemetry({ spanProcessors: [new BatchSpanProcessor(exporter)] });
const ai = genkit({ plugins: [openAI({ apiKey: 'none', baseURL: assay.llm })] });
const disk = ai.defineTool(
  { name: 'disk', description, inputSchema: z.object({ host: z.string() }) },
  async () => reading,
);
const ask = ai.defineFlow('ask', async (prompt) => {
  const { text } = await ai.generate({ model: openAI.model(model), prompt, tools: [disk] });
  return text;
});
await ask(question, { context: { sessionId: assay.session } });
await flushTracing();
