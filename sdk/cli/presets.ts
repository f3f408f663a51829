/** Mappings of `POST /v1/import` for files that many have; `assay import --preset NAME`. */
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

/**
 * Each line a conversation that serves one request; whether it came out well is known of the whole.
 */
const tauAirline = {
  id: 'id',
  messages: 'messages',
  pipeline: { query: 'instruction' },
  model: 'agent',
  human_label: 'success',
  metadata: { trial: 'trial' },
};

/** Each line a question, and the statements that an agent ran on its way to the answer. */
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
  // One conversation a line, as OpenAI's chat API has them: `{"messages":[…]}`. Each text answer
  // becomes a turn.
  ['openai-chat', { messages: 'messages' }],
  ['quintd', quintd],
  ['summedits', summedits],
  ['tau-airline', tauAirline],
  ['intercode-sql', intercodeSql],
]);
