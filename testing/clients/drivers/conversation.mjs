// The conversation that every driver leads: a question, a tool, an answer. The answer has one figure
// of the tool's result and one of its own.
export const question = 'How full is web-1?';
export const answer = 'web-1 is 91.4% full, and 21 GiB are free.';
export const model = 'gpt-4o-mini';
export const reading = { rows: [{ host: 'web-1', disk_pct: 91.4 }] };
export const parameters = {
  type: 'object',
  properties: { host: { type: 'string' } },
  required: ['host'],
  additionalProperties: false,
};
export const description = 'Reads how full the disk of a host is';
export const functionTool = {
  type: 'function',
  function: { name: 'disk', description, parameters },
};

const { ASSAY_URL, ASSAY_KEY, LLM_URL, SESSION } = process.env;
/** Assay's address, a key of the project, the scripted model's address, and the session's id. */
export const assay = { url: ASSAY_URL, key: ASSAY_KEY, llm: `${LLM_URL}/v1`, session: SESSION };

/** Calls the model, answers its tool call, and calls it again. Takes an OpenAI client. */
export async function talk(client, more = {}) {
  const messages = [{ role: 'user', content: question }];
  const call = () =>
    client.chat.completions.create({ model, messages, tools: [functionTool], ...more });
  const { message } = (await call()).choices[0];
  messages.push(message, {
    role: 'tool',
    tool_call_id: message.tool_calls[0].id,
    content: JSON.stringify(reading),
  });
  return (await call()).choices[0].message.content;
}

/** The same with an Anthropic client. */
export async function talkToAnthropic(client) {
  const messages = [{ role: 'user', content: question }];
  const tools = [{ name: 'disk', description, input_schema: parameters }];
  const call = () =>
    client.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 200, messages, tools });
  const { content } = await call();
  const { id } = content.find(({ type }) => type === 'tool_use');
  const result = { type: 'tool_result', tool_use_id: id, content: JSON.stringify(reading) };
  messages.push({ role: 'assistant', content }, { role: 'user', content: [result] });
  return (await call()).content[0].text;
}
