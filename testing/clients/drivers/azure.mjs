import { AzureOpenAI } from 'openai';
import { assay, talk } from './conversation.mjs';

const client = new AzureOpenAI({
  endpoint: `${assay.url}/gateway/azure`,
  apiKey: assay.key,
  apiVersion: '2024-10-21',
  defaultHeaders: { 'x-assay-session': assay.session },
});
await talk(client);
