import { getLangWatchTracer } from 'langwatch';
import { setupObservability } from 'langwatch/observability/node';
import OpenAI from 'openai';
import { answer, assay, model, question, reading, talk } from './conversation.mjs';

const handle = setupObservability({
  langwatch: { apiKey: assay.key, endpoint: assay.url },
  serviceName: 'ops',
});
const tracer = getLangWatchTracer('ops');
const client = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });
await tracer.withActiveSpan('ask', async (span) => {
  span.setType('agent').setInput(question).setAttribute('gen_ai.conversation.id', assay.session);
  const output = await talk(client);
  await tracer.withActiveSpan('disk', async (tool) => {
    tool.setType('tool').setInput({ host: 'web-1' }).setOutput(reading);
  });
  await tracer.withActiveSpan('answer', async (llm) => {
    llm.setType('llm').setRequestModel(`openai/${model}`);
    llm.setInput('chat_messages', [{ role: 'user', content: question }]).setOutput(output);
    llm.setMetrics({ promptTokens: 60, completionTokens: 20 });
  });
  span.setOutput(answer);
});
await handle.shutdown();
