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

/** Empty: the client could not be installed. */
export type Cell = 'yes' | 'not sent' | 'NO' | '';

export interface CatalogClient {
  readonly name: string;
  /** How it reaches Assay: its spans, its model calls, or the HTTP API. */
  readonly way: 'spans' | 'gateway' | 'api';
  /** Packages of npm, the newest that runs on this Node unless a version is given; the first names it. */
  readonly packages: readonly string[];
  /** File below `drivers/`. */
  readonly driver: string;
  /** The model of its turn; `gpt-4o-mini` by default. */
  readonly model?: string;
  /** Columns that the client does not send, each with the reason in one sentence. */
  readonly notSent?: Readonly<Partial<Record<CellName, string>>>;
  /** A part of the note that the page of its trace must show. */
  readonly note?: string;
  /** Name of a score that it sends with its trace. */
  readonly score?: string;
}

const exporter = ['@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-proto'];

export const catalog: readonly CatalogClient[] = [
  { name: 'curl', way: 'api', packages: [], driver: 'curl.sh' },
  { name: 'Python standard library', way: 'api', packages: [], driver: 'python.py' },
  { name: 'OpenAI', way: 'gateway', packages: ['openai'], driver: 'openai.mjs' },
  {
    name: 'OpenInference, OpenAI',
    way: 'spans',
    packages: ['@arizeai/openinference-instrumentation-openai', 'openai', ...exporter],
    driver: 'openinference-openai.mjs',
  },
];
