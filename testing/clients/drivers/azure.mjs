import { AzureOpenAI } from 'openai';
import { assay, talk } from './conversation.mjs';

const client = new AzureOpenAI({
  baseURL: `${assay.url}/gateway/azure/openai/deployments/gpt-4o-mini`,
  apiKey: assay.key,
  apiVersion: '2024-10-21',
  defaultHeaders: { 'x-assay-session': assay.session },
});
await talk(client);
