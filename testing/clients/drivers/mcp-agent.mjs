// An agent whose tool is on an MCP server: the client and the server of the MCP SDK, OpenAI's client.
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import OpenAI from 'openai';
import { z } from 'zod';
import { assay, description, model, question, reading } from './conversation.mjs';
import { provider, traced } from './tracing.mjs';

new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
const server = new McpServer({ name: 'disks', version: '1.0.0' });
server.registerTool('disk', { description, inputSchema: { host: z.string() } }, () => ({
  content: [{ type: 'text', text: JSON.stringify(reading) }],
}));
const [near, far] = InMemoryTransport.createLinkedPair();
const mcp = new Client({ name: 'ops', version: '1.0.0' });
await Promise.all([server.connect(far), mcp.connect(near)]);
const openai = new OpenAI({ baseURL: assay.llm, apiKey: 'none' });

await traced(
  async () => {
    const tools = (await mcp.listTools()).tools.map(({ name, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
    const messages = [{ role: 'user', content: question }];
    const call = async () =>
      (await openai.chat.completions.create({ model, messages, tools })).choices[0].message;
    const message = await call();
    const [{ id, function: asked }] = message.tool_calls;
    const result = await mcp.callTool({ name: asked.name, arguments: JSON.parse(asked.arguments) });
    messages.push(message, { role: 'tool', tool_call_id: id, content: result.content[0].text });
    await call();
  },
  { 'session.id': assay.session },
);
await mcp.close();
