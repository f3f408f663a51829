import OpenAI from 'openai';
import { assay, talk } from './conversation.mjs';

const client = new OpenAI({
  baseURL: `${assay.url}/gateway/openai/v1`,
  apiKey: assay.key,
  defaultHeaders: { 'x-assay-session': assay.session },
});
await talk(client);
