// An agent of LangChain, which is a graph of LangGraph.
import { createAgent, tool } from 'langchain';
import { ChatOpenAI } from '@langchain/openai';
import { assay, description, model, parameters, question, reading } from './conversation.mjs';

/** Runs the agent once, with callbacks or metadata in `config`. */
export async function runAgent(config) {
  const disk = tool(() => JSON.stringify(reading), {
    name: 'disk',
    description,
    schema: parameters,
  });
  const chat = new ChatOpenAI({ model, apiKey: 'none', configuration: { baseURL: assay.llm } });
  const agent = createAgent({ model: chat, tools: [disk] });
  const messages = [{ role: 'user', content: question }];
  const { messages: all } = await agent.invoke({ messages }, config);
  return all.at(-1).content;
}
