import { openai } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { tool } from 'llamaindex';
import { z } from 'zod';
import { assay, description, model, question, reading } from './conversation.mjs';

const disk = tool({
  name: 'disk',
  description,
  parameters: z.object({ host: z.string() }),
  execute: () => JSON.stringify(reading),
});
const llm = openai({
  model,
  apiKey: assay.key,
  baseURL: `${assay.url}/gateway/openai/v1`,
  additionalSessionOptions: { defaultHeaders: { 'x-assay-session': assay.session } },
});
await agent({ llm, tools: [disk] }).run(question);
