import * as openaiModule from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { LlamaIndexInstrumentation } from '@traceloop/instrumentation-llamaindex';
import * as llamaindex from 'llamaindex';
import { tool } from 'llamaindex';
import { z } from 'zod';
import { assay, description, model, question, reading } from './conversation.mjs';
import { provider, traced } from './tracing.mjs';

const instrumentation = new LlamaIndexInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument(llamaindex, openaiModule);
const disk = tool({
  name: 'disk',
  description,
  parameters: z.object({ host: z.string() }),
  execute: () => JSON.stringify(reading),
});
const llm = openaiModule.openai({ model, apiKey: 'none', baseURL: assay.llm });
await traced(() => agent({ llm, tools: [disk] }).run(question), { 'session.id': assay.session });
