import Anthropic from '@anthropic-ai/sdk';
import { AnthropicInstrumentation } from '@arizeai/openinference-instrumentation-anthropic';
import { assay, talkToAnthropic } from './conversation.mjs';
import { provider, traced } from './tracing.mjs';

new AnthropicInstrumentation({ tracerProvider: provider }).manuallyInstrument(Anthropic);
const client = new Anthropic({ baseURL: assay.llm.replace('/v1', ''), apiKey: 'none' });
await traced(() => talkToAnthropic(client), { 'session.id': assay.session });
