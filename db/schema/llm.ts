import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Model providers for judges. The key is encrypted and bound to `origin`: after a change of the
 * address, the key must be entered again (S-45).
 */
export const providers = pgTable(
  'providers',
  {
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['openai', 'anthropic', 'google', 'openai_compatible'] }).notNull(),
    baseUrl: text('base_url').notNull(),
    /** Scheme, host and port of `baseUrl`. */
    origin: text('origin').notNull(),
    sealedKey: text('sealed_key'),
    /** Models to use, as `string[]`; the first one is the default. */
    models: jsonb('models').notNull().$type<string[]>(),
    /**
     * The project's own prices where they differ from the list price, in US dollars per million
     * tokens.
     */
    prices: jsonb('prices')
      .notNull()
      .default([])
      .$type<{ model: string; input: number; output: number }[]>(),
    enabled: boolean('enabled').notNull().default(true),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

/** Every model call, answered or not, with its cost and its answer; append-only. */
export const llmCalls = pgTable(
  'llm_calls',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /**
     * The verdict that the call was made for, whether stored yet or not; null for a trial in the
     * console.
     */
    verdictId: text('verdict_id'),
    /** The node of the verifier's plan, or another purpose. */
    purpose: text('purpose').notNull(),
    attempt: integer('attempt').notNull(),
    provider: text('provider').notNull(),
    model: text('model').notNull(),
    promptVersion: text('prompt_version'),
    state: text('state', { enum: ['answered', 'failed'] }).notNull(),
    errorClass: text('error_class'),
    message: text('message'),
    status: integer('status'),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    /** Null if the price is unknown. */
    costUsd: doublePrecision('cost_usd'),
    latencyMs: doublePrecision('latency_ms').notNull(),
    /** The first 8 KiB of the answer. */
    reply: text('reply'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('llm_calls_verdict').on(table.projectId, table.verdictId),
    index('llm_calls_created').on(table.projectId, table.createdAt),
  ],
);
