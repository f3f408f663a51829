import Anthropic from '@anthropic-ai/sdk';
import { assay, talkToAnthropic } from './conversation.mjs';

const client = new Anthropic({
  baseURL: `${assay.url}/gateway/anthropic`,
  apiKey: assay.key,
  defaultHeaders: { 'x-assay-session': assay.session },
});
await talkToAnthropic(client);
