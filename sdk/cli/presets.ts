/** Mappings of `POST /v1/import` for common file formats (`assay import --preset NAME`). */
const quintd = {
  each: 'outputs',
  id: ['id', '@.model'],
  output: '@.text',
  model: '@.model',
  context: [{ id: 'source', path: 'source' }],
  human_label: '@.human.fully_correct',
  judge: { const: 'gpt-4' },
  judge_verdict: '@.judges.gpt-4',
};

const summedits = {
  each: 'candidates',
  id: '@.id',
  output: '@.summary',
  context: [{ id: 'document', path: 'document' }],
  source: 'domain',
  human_label: '@.consistent',
  metadata: { changed: '@.number_changed' },
};

/** Each line is a conversation that serves one request, with an outcome for the whole. */
const tauAirline = {
  id: 'id',
  messages: 'messages',
  pipeline: { query: 'instruction' },
  model: 'agent',
  human_label: 'success',
  metadata: { trial: 'trial' },
};

/** Each line is a question with the statements that an agent executed to answer it. */
const intercodeSql = {
  each: 'turns',
  id: 'id',
  pipeline: { query: 'question' },
  input: 'question',
  output: '@.action',
  tools: '@.observation',
  model: 'agent',
  human_label: 'success',
  metadata: { hardness: 'hardness', reward: '@.reward', valid: '@.valid' },
};

export const presets: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<
  string,
  Readonly<Record<string, unknown>>
>([
  // One conversation per line, as in OpenAI's chat API: `{"messages":[…]}`. Each text answer
  // becomes a turn.
  ['openai-chat', { messages: 'messages' }],
  ['quintd', quintd],
  ['summedits', summedits],
  ['tau-airline', tauAirline],
  ['intercode-sql', intercodeSql],
]);
