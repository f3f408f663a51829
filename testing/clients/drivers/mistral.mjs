import { Mistral } from '@mistralai/mistralai';
import { assay, functionTool, question, reading } from './conversation.mjs';

const client = new Mistral({ apiKey: assay.key, serverURL: `${assay.url}/gateway/mistral` });
const messages = [{ role: 'user', content: question }];
const request = { model: 'mistral-small-latest', messages, tools: [functionTool] };
const call = async () => {
  const options = { headers: { 'x-assay-session': assay.session } };
  return (await client.chat.complete(request, options)).choices[0].message;
};
const message = await call();
const [{ id }] = message.toolCalls;
messages.push(message, { role: 'tool', toolCallId: id, content: JSON.stringify(reading) });
await call();
