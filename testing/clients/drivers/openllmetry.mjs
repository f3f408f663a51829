import { initialize, withAssociationProperties, forceFlush } from '@traceloop/node-server-sdk';
import OpenAI from 'openai';
import { assay, talk } from './conversation.mjs';

initialize({
  baseUrl: assay.url,
  apiKey: assay.key,
  appName: 'ops',
  silenceInitializationMessage: true,
  instrumentModules: { openAI: OpenAI },
});
const client = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });
await withAssociationProperties({ session_id: assay.session }, () => talk(client));
await forceFlush();
