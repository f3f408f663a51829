// An evaluation whose prompt is the conversation up to the tool's result.
import promptfoo from 'promptfoo';
import { assay, functionTool, model, question, reading } from './conversation.mjs';

process.env.PROMPTFOO_DISABLE_TELEMETRY = '1';
process.env.PROMPTFOO_DISABLE_UPDATE = '1';
process.env.PROMPTFOO_CONFIG_DIR = process.cwd();
const asked = { name: 'disk', arguments: '{"host":"web-1"}' };
const messages = [
  { role: 'user', content: question },
  { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: asked }] },
  { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify(reading) },
];
const config = {
  apiBaseUrl: `${assay.url}/gateway/openai/v1`,
  apiKey: assay.key,
  headers: { 'x-assay-session': assay.session },
  tools: [functionTool],
};
const { results } = await promptfoo.evaluate(
  {
    prompts: [JSON.stringify(messages)],
    providers: [{ id: `openai:chat:${model}`, config }],
    tests: [{ assert: [{ type: 'contains', value: '91.4' }] }],
    writeLatestResults: false,
  },
  { maxConcurrency: 1, cache: false },
);
if (results[0].success !== true) throw new Error(JSON.stringify(results[0]));
