/**
 * The words of a model's name that identify its family. A word must match as a whole, after its
 * version is removed (`llama3` is `llama`), never as a part of another: `metamath` is not Meta's,
 * `marco-o1` is not OpenAI's (VS-36).
 */
export type Family =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'meta'
  | 'mistral'
  | 'qwen'
  | 'deepseek'
  | 'cohere'
  | 'microsoft'
  | 'xai'
  | 'amazon'
  | 'zhipu'
  | 'moonshot'
  | 'yi'
  | 'ai21'
  | 'ibm'
  | 'nvidia'
  | 'tii'
  | 'databricks'
  | 'allenai'
  | 'baidu'
  | 'tencent'
  | 'minimax'
  | 'internlm'
  | 'baichuan'
  | 'upstage'
  | 'reka'
  | 'stability'
  | 'bigcode'
  | 'huggingface'
  | 'lg'
  | 'eleutherai'
  | 'writer'
  | 'snowflake';

const wordsOf: readonly (readonly [Family, string])[] = [
  ['openai', 'gpt chatgpt davinci babbage codex'],
  ['anthropic', 'claude'],
  [
    'google',
    'gemini gemma codegemma medgemma shieldgemma recurrentgemma paligemma palm bison learnlm',
  ],
  // Models that others trained on Llama's weights share its habits.
  ['meta', 'llama codellama tinyllama vicuna alpaca nemotron tulu'],
  [
    'mistral',
    'mistral mixtral ministral codestral pixtral magistral devstral mathstral voxtral zephyr openchat mistralai',
  ],
  ['qwen', 'qwen qwq qvq codeqwen tongyi marco'],
  ['deepseek', 'deepseek'],
  ['cohere', 'command aya'],
  ['microsoft', 'phi orca wizardlm wizardcoder'],
  ['xai', 'grok'],
  ['amazon', 'nova titan'],
  ['zhipu', 'glm chatglm codegeex'],
  ['moonshot', 'kimi moonshot moonlight'],
  ['yi', 'yi'],
  ['ai21', 'jamba jurassic'],
  ['ibm', 'granite'],
  ['nvidia', 'nemotron'],
  ['tii', 'falcon'],
  ['databricks', 'dbrx dolly'],
  ['allenai', 'olmo olmoe tulu molmo'],
  ['baidu', 'ernie'],
  ['tencent', 'hunyuan'],
  ['minimax', 'minimax abab'],
  ['internlm', 'internlm'],
  ['baichuan', 'baichuan'],
  ['upstage', 'solar'],
  ['reka', 'reka'],
  ['stability', 'stablelm stablecode'],
  ['bigcode', 'starcoder'],
  ['huggingface', 'smollm'],
  ['lg', 'exaone'],
  ['eleutherai', 'neox pythia gptj'],
  ['writer', 'palmyra'],
  ['snowflake', 'arctic'],
];

/** Each word's families; a word may indicate two: Nemotron is NVIDIA's, on Llama's weights. */
export const familiesOfWord: ReadonlyMap<string, readonly Family[]> = collect();

function collect(): Map<string, Family[]> {
  const found = new Map<string, Family[]>();
  for (const [family, words] of wordsOf) {
    for (const word of words.split(' ')) found.set(word, [...(found.get(word) ?? []), family]);
  }
  return found;
}

/**
 * Makers as name prefixes, `meta-llama/…` or `us.anthropic.…`: used only if the name itself
 * indicates no family.
 */
export const familyOfVendor: ReadonlyMap<string, Family> = new Map<string, Family>([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['gemini', 'google'],
  ['meta', 'meta'],
  ['meta-llama', 'meta'],
  ['mistral', 'mistral'],
  ['mistralai', 'mistral'],
  ['qwen', 'qwen'],
  ['alibaba', 'qwen'],
  ['deepseek', 'deepseek'],
  ['deepseek-ai', 'deepseek'],
  ['cohere', 'cohere'],
  ['cohereforai', 'cohere'],
  ['microsoft', 'microsoft'],
  ['xai', 'xai'],
  ['x-ai', 'xai'],
  ['amazon', 'amazon'],
  ['moonshotai', 'moonshot'],
  ['ai21', 'ai21'],
  ['ibm-granite', 'ibm'],
  ['nvidia', 'nvidia'],
  ['tiiuae', 'tii'],
  ['databricks', 'databricks'],
  ['allenai', 'allenai'],
  ['baidu', 'baidu'],
  ['tencent', 'tencent'],
  ['01-ai', 'yi'],
  ['zai-org', 'zhipu'],
  ['z-ai', 'zhipu'],
  ['writer', 'writer'],
]);

/** Prefixes before a colon that are a route to a model, never a model: hosts and routers. */
export const routes: ReadonlySet<string> = new Set([
  'openai_compatible',
  'openai-compatible',
  'azure',
  'azure_ai',
  'bedrock',
  'vertex',
  'vertex_ai',
  'google',
  'openai',
  'anthropic',
  'openrouter',
  'together',
  'together_ai',
  'fireworks',
  'fireworks_ai',
  'groq',
  'ollama',
  'ollama_chat',
  'vllm',
  'litellm',
  'lmstudio',
  'huggingface',
  'replicate',
  'perplexity',
  'cerebras',
  'sambanova',
  'nebius',
  'deepinfra',
  'gateway',
  'local',
]);
