/** The clients of `npm run clients`: each runs the conversation of `conversation.mjs`. */

export const cellNames = [
  'turn',
  'tool result',
  'sources',
  'tokens',
  'cost',
  'model',
  'session',
  'verdict',
] as const;
export type CellName = (typeof cellNames)[number];

/** Empty if the client could not be installed. */
export type Cell = 'yes' | 'not sent' | 'NO' | '';

export interface CatalogClient {
  readonly name: string;
  /** How it reaches Assay: its spans, its model calls, or the HTTP API. */
  readonly way: 'spans' | 'gateway' | 'api';
  /**
   * Packages of npm, the newest that runs on this Node unless a version is set; the first one names
   * the client.
   */
  readonly packages: readonly string[];
  /** File below `drivers/`. */
  readonly driver: string;
  /** The model of its turn; `gpt-4o-mini` by default. */
  readonly model?: string;
  /** Columns that the client does not send, each with the reason in one sentence. */
  readonly notSent?: Readonly<Partial<Record<CellName, string>>>;
  /** A part of the note on the page of its trace. */
  readonly note?: string;
  /** Name of a score that it sends with its trace. */
  readonly score?: string;
}

const otel = [
  '@opentelemetry/sdk-trace-node@2',
  '@opentelemetry/exporter-trace-otlp-proto@0.223',
] as const;
const otelOpenAi = [
  '@opentelemetry/instrumentation-openai',
  'openai',
  '@opentelemetry/sdk-node',
  '@opentelemetry/api-logs',
  '@opentelemetry/sdk-logs',
  '@opentelemetry/exporter-logs-otlp-proto',
] as const;
const agent = [
  'langchain',
  '@langchain/core',
  '@langchain/openai',
  '@langchain/langgraph',
] as const;
const openInference = '@arizeai/openinference-instrumentation';

/** For a client without content there is no turn, and so no cell. */
const unsupportedBecause = (reason: string): Readonly<Record<CellName, string>> => ({
  turn: reason,
  'tool result': reason,
  sources: reason,
  tokens: reason,
  cost: reason,
  model: reason,
  session: reason,
  verdict: reason,
});

const models: readonly CatalogClient[] = [
  { name: 'OpenAI', way: 'gateway', packages: ['openai'], driver: 'openai.mjs' },
  {
    name: 'Anthropic',
    way: 'gateway',
    packages: ['@anthropic-ai/sdk'],
    driver: 'anthropic.mjs',
    model: 'claude-sonnet-4-5',
  },
  {
    name: 'Google GenAI',
    way: 'gateway',
    packages: ['@google/genai'],
    driver: 'google.mjs',
    model: 'gemini-2.5-flash',
  },
  {
    name: 'Mistral',
    way: 'gateway',
    packages: ['@mistralai/mistralai'],
    driver: 'mistral.mjs',
    model: 'mistral-small-latest',
  },
  {
    name: 'Groq',
    way: 'gateway',
    packages: ['groq-sdk'],
    driver: 'groq.mjs',
    model: 'llama-3.3-70b-versatile',
    notSent: {
      cost: 'Prices of open models differ by host, which the name of the model does not say. Set an own price.',
    },
  },
  {
    name: 'Ollama',
    way: 'gateway',
    packages: ['ollama'],
    driver: 'ollama.mjs',
    model: 'llama3.2',
    notSent: { cost: 'Its models run on your own machines and have no list price.' },
  },
  { name: 'Azure OpenAI', way: 'gateway', packages: ['openai'], driver: 'azure.mjs' },
  { name: 'Helicone headers', way: 'gateway', packages: ['openai'], driver: 'helicone.mjs' },
  { name: 'promptfoo', way: 'gateway', packages: ['promptfoo'], driver: 'promptfoo.mjs' },
];

const frameworks: readonly CatalogClient[] = [
  {
    name: 'Vercel AI SDK',
    way: 'spans',
    packages: ['ai@6', '@ai-sdk/openai@3', ...otel],
    driver: 'ai-sdk.mjs',
  },
  {
    name: 'LangChain, OpenInference',
    way: 'spans',
    packages: [...agent, `${openInference}-langchain`, ...otel],
    driver: 'langchain-openinference.mjs',
  },
  {
    name: 'LangChain, Langfuse callback',
    way: 'spans',
    packages: [
      ...agent,
      '@langfuse/langchain',
      '@langfuse/otel',
      '@opentelemetry/sdk-trace-node@2',
    ],
    driver: 'langchain-langfuse.mjs',
  },
  {
    name: 'OpenAI Agents',
    way: 'spans',
    packages: ['@openai/agents', 'openai', 'zod', `${openInference}-openai-agents`, ...otel],
    driver: 'openai-agents.mjs',
  },
  {
    name: 'Mastra',
    way: 'spans',
    packages: [
      '@mastra/core@1',
      '@mastra/observability@1',
      '@mastra/otel-exporter@1',
      '@ai-sdk/openai',
      '@opentelemetry/exporter-trace-otlp-proto@0.223',
      'zod',
    ],
    driver: 'mastra.mjs',
  },
  {
    name: 'LlamaIndex',
    way: 'gateway',
    packages: ['llamaindex', '@llamaindex/openai', '@llamaindex/workflow', 'zod'],
    driver: 'llamaindex.mjs',
    notSent: {
      sources:
        'It removes the quotes from the result of a tool, so the figure is found without a path.',
    },
  },
  {
    name: 'Genkit',
    way: 'spans',
    packages: [
      'genkit',
      '@genkit-ai/compat-oai',
      '@opentelemetry/sdk-trace-base@~1.25',
      '@opentelemetry/exporter-trace-otlp-proto@0.52',
    ],
    driver: 'genkit.mjs',
  },
  {
    name: 'MCP SDK agent',
    way: 'spans',
    packages: ['@modelcontextprotocol/sdk', 'openai', 'zod', `${openInference}-openai`, ...otel],
    driver: 'mcp-agent.mjs',
  },
];

const tracers: readonly CatalogClient[] = [
  {
    name: 'OpenInference, OpenAI',
    way: 'spans',
    packages: [`${openInference}-openai`, 'openai', ...otel],
    driver: 'openinference-openai.mjs',
  },
  {
    name: 'OpenInference, Anthropic',
    way: 'spans',
    packages: [`${openInference}-anthropic`, '@anthropic-ai/sdk', ...otel],
    driver: 'openinference-anthropic.mjs',
    model: 'claude-sonnet-4-5',
  },
  {
    name: 'OpenLLMetry',
    way: 'spans',
    packages: ['@traceloop/node-server-sdk', 'openai'],
    driver: 'openllmetry.mjs',
  },
  {
    name: 'OpenTelemetry, OpenAI (logs)',
    way: 'spans',
    packages: otelOpenAi,
    driver: 'otel-openai.mjs',
  },
  {
    name: 'OpenTelemetry, OpenAI (defaults)',
    way: 'spans',
    packages: otelOpenAi,
    driver: 'otel-openai-defaults.mjs',
    notSent: unsupportedBecause(
      'It records no messages by default; the page of the trace names the variable to set.',
    ),
    note: 'content capture is off',
  },
  {
    name: 'Langfuse 5',
    way: 'spans',
    packages: [
      '@langfuse/tracing@5',
      '@langfuse/otel@5',
      '@langfuse/openai@5',
      'openai',
      '@opentelemetry/sdk-trace-node@2',
    ],
    driver: 'langfuse-5.mjs',
  },
  {
    name: 'Langfuse 3',
    way: 'spans',
    packages: ['langfuse@3', 'openai'],
    driver: 'langfuse-3.mjs',
  },
  { name: 'LangWatch', way: 'spans', packages: ['langwatch', 'openai'], driver: 'langwatch.mjs' },
  { name: 'Laminar', way: 'spans', packages: ['@lmnr-ai/lmnr', 'openai'], driver: 'laminar.mjs' },
  {
    name: 'LangSmith, OpenTelemetry',
    way: 'spans',
    packages: ['langsmith', 'openai', ...otel],
    driver: 'langsmith.mjs',
  },
  {
    name: 'autoevals results',
    way: 'spans',
    packages: ['autoevals', ...otel],
    driver: 'autoevals.mjs',
    score: 'Levenshtein',
  },
];

export const catalog: readonly CatalogClient[] = [
  ...models,
  ...frameworks,
  ...tracers,
  { name: 'curl', way: 'api', packages: [], driver: 'curl.sh' },
  { name: 'Python standard library', way: 'api', packages: [], driver: 'python.py' },
];
