import { Langfuse, observeOpenAI } from 'langfuse';
import OpenAI from 'openai';
import { assay, question, talk } from './conversation.mjs';

const langfuse = new Langfuse({ baseUrl: assay.url, publicKey: 'pk', secretKey: assay.key });
const trace = langfuse.trace({ name: 'ops', sessionId: assay.session, input: question });
const client = observeOpenAI(new OpenAI({ baseURL: assay.llm, apiKey: 'none' }), {
  parent: trace,
});
trace.update({ output: await talk(client) });
await client.flushAsync();
await langfuse.shutdownAsync();
