import { Laminar, observe } from '@lmnr-ai/lmnr';
import OpenAI from 'openai';
import { assay, question, talk } from './conversation.mjs';

const { protocol, hostname, port } = new URL(assay.url);
Laminar.initialize({
  projectApiKey: assay.key,
  baseUrl: `${protocol}//${hostname}`,
  httpPort: Number(port),
  forceHttp: true,
  instrumentModules: { OpenAI },
});
const client = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });
await observe({ name: 'ask', sessionId: assay.session, input: question }, () => talk(client));
await Laminar.shutdown();
