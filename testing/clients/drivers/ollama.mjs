import { Ollama } from 'ollama';
import { assay, functionTool, question, reading } from './conversation.mjs';

const client = new Ollama({
  host: `${assay.url}/gateway/ollama`,
  headers: { authorization: `Bearer ${assay.key}`, 'x-assay-session': assay.session },
});
const messages = [{ role: 'user', content: question }];
const call = async () =>
  (await client.chat({ model: 'llama3.2', messages, tools: [functionTool] })).message;
messages.push(await call());
messages.push({ role: 'tool', tool_name: 'disk', content: JSON.stringify(reading) });
await call();
