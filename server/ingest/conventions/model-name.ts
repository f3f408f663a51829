/**
 * Providers by the first word of their names in conventions: `openai.chat` and `openai.responses`
 * (AI SDK), `azure.ai.openai` and `gcp.vertex_ai` (OTel), `OpenAI` (OpenLLMetry). Some clients put
 * a framework there (`langchain`), which is not a provider.
 */
const PROVIDERS = new Map([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['gcp', 'google'],
  ['gemini', 'google'],
  ['vertex_ai', 'google'],
  ['vertexai', 'google'],
  ['azure', 'azure'],
  ['azure-openai', 'azure'],
  ['az', 'azure'],
  ['aws', 'bedrock'],
  ['bedrock', 'bedrock'],
  ['amazon-bedrock', 'bedrock'],
  ['mistral', 'mistral'],
  ['mistralai', 'mistral'],
  ['mistral_ai', 'mistral'],
  ['cohere', 'cohere'],
  ['groq', 'groq'],
  ['deepseek', 'deepseek'],
  ['xai', 'xai'],
  ['x_ai', 'xai'],
  ['perplexity', 'perplexity'],
  ['ollama', 'ollama'],
  ['ibm', 'ibm'],
  ['watsonx', 'ibm'],
]);

/** `openai/gpt-4o`; the name alone when it has a slash or the provider is unknown. */
export function modelName(provider: string | null, model: string | null): string | null {
  if (model === null || model.includes('/')) return model;
  const [word = ''] = (provider ?? '').toLowerCase().split('.');
  const known = PROVIDERS.get(word);
  return known === undefined ? model : `${known}/${model}`;
}
