import Groq from 'groq-sdk';
import { assay, talk } from './conversation.mjs';

const client = new Groq({
  baseURL: `${assay.url}/gateway/groq`,
  apiKey: assay.key,
  defaultHeaders: { 'x-assay-session': assay.session },
});
await talk(client, { model: 'llama-3.3-70b-versatile' });
