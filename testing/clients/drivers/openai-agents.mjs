import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
import OpenAI from 'openai';
import { assay, description, model, parameters, question, reading } from './conversation.mjs';
import { provider, traced } from './tracing.mjs';

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);
agents.setDefaultOpenAIClient(new OpenAI({ baseURL: assay.llm, apiKey: 'none' }));
const disk = agents.tool({
  name: 'disk',
  description,
  parameters,
  strict: true,
  execute: () => JSON.stringify(reading),
});
const agent = new agents.Agent({ name: 'ops', model, tools: [disk] });
await traced(() => agents.run(agent, question), { 'session.id': assay.session });
