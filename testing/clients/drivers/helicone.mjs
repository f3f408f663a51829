// An application written for Helicone, with its address and key changed: the session stays in
// Helicone's headers.
import OpenAI from 'openai';
import { assay, talk } from './conversation.mjs';

const client = new OpenAI({
  baseURL: `${assay.url}/gateway/openai/v1`,
  apiKey: assay.key,
  defaultHeaders: {
    'Helicone-Session-Id': assay.session,
    'Helicone-Session-Path': '/ask',
    'Helicone-Session-Name': 'ops',
  },
});
await talk(client);
