// LangSmith in its OpenTelemetry mode, with its endpoint and key changed. Only traced functions and
// wrapped clients become spans; callbacks of LangChain do not. Its variables are read while its
// modules load.
import OpenAI from 'openai';
import { assay, functionTool, model, question, reading } from './conversation.mjs';

Object.assign(process.env, {
  LANGSMITH_TRACING: 'true',
  LANGSMITH_OTEL_ENABLED: 'true',
  LANGSMITH_ENDPOINT: assay.url,
  LANGSMITH_API_KEY: assay.key,
});
const { initializeOTEL } = await import('langsmith/experimental/otel/setup');
const { traceable } = await import('langsmith/traceable');
const { wrapOpenAI } = await import('langsmith/wrappers');
const { Client } = await import('langsmith');

const { DEFAULT_LANGSMITH_SPAN_PROCESSOR: processor } = initializeOTEL();
const client = new Client();
const metadata = { session_id: assay.session };
const openai = wrapOpenAI(new OpenAI({ baseURL: assay.llm, apiKey: 'none' }), { client, metadata });
const disk = traceable(async () => reading, { name: 'disk', run_type: 'tool', client });
const ask = traceable(
  async (content) => {
    const messages = [{ role: 'user', content }];
    const request = { model, messages, tools: [functionTool] };
    const call = async () => (await openai.chat.completions.create(request)).choices[0].message;
    const message = await call();
    const [{ id, function: asked }] = message.tool_calls;
    const result = await disk(JSON.parse(asked.arguments));
    messages.push(message, { role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
    return (await call()).content;
  },
  { name: 'ask', client, metadata },
);
await ask(question);
await client.awaitPendingTraceBatches();
await processor.shutdown();
