import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { assay, description, model, parameters, question, reading } from './conversation.mjs';
import { provider } from './tracing.mjs';

await generateText({
  model: createOpenAI({ baseURL: assay.llm, apiKey: 'none' }).chat(model),
  prompt: question,
  tools: {
    disk: tool({ description, inputSchema: jsonSchema(parameters), execute: () => reading }),
  },
  stopWhen: stepCountIs(4),
  experimental_telemetry: { isEnabled: true, metadata: { sessionId: assay.session } },
});
await provider.shutdown();
