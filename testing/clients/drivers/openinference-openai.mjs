import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import OpenAI from 'openai';
import { assay, talk } from './conversation.mjs';
import { provider, traced } from './tracing.mjs';

new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
const client = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });
await traced(() => talk(client), { 'session.id': assay.session });
