import { GoogleGenAI } from '@google/genai';
import { assay, description, parameters, question, reading } from './conversation.mjs';

const client = new GoogleGenAI({
  apiKey: assay.key,
  httpOptions: {
    baseUrl: `${assay.url}/gateway/google`,
    headers: { 'x-assay-session': assay.session },
  },
});
const tools = [
  { functionDeclarations: [{ name: 'disk', description, parametersJsonSchema: parameters }] },
];
const contents = [{ role: 'user', parts: [{ text: question }] }];
const call = () =>
  client.models.generateContent({ model: 'gemini-2.5-flash', contents, config: { tools } });
const first = await call();
const functionResponse = { name: 'disk', response: reading };
contents.push(first.candidates[0].content, { role: 'user', parts: [{ functionResponse }] });
await call();
