import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';
import { assay, description, model, question, reading } from './conversation.mjs';

const disk = createTool({
  id: 'disk',
  description,
  inputSchema: z.object({ host: z.string() }),
  execute: async () => reading,
});
const ops = new Agent({
  id: 'ops',
  name: 'ops',
  instructions: 'Be brief.',
  model: createOpenAI({ baseURL: assay.llm, apiKey: 'none' }).chat(model),
  tools: { disk },
});
const custom = {
  endpoint: `${assay.url}/v1/traces`,
  protocol: 'http/protobuf',
  headers: { authorization: `Bearer ${assay.key}` },
};
const exporters = [new OtelExporter({ provider: { custom } })];
const mastra = new Mastra({
  agents: { ops },
  observability: new Observability({ configs: { otel: { serviceName: 'ops', exporters } } }),
});
const tracingOptions = { metadata: { sessionId: assay.session } };
await mastra.getAgent('ops').generate(question, { tracingOptions });
await mastra.observability.shutdown();
