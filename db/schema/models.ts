import {
  date,
  doublePrecision,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * The names under which a project's turns, traces, subjects and calls report models, with the
 * identity that they count under. Written before the rows that contain a name.
 */
export const modelNames = pgTable(
  'model_names',
  {
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    /** Null until a worker has resolved it: names of rows that an earlier release stored. */
    identity: text('identity'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.name] }),
    index('model_names_identity').on(table.projectId, table.identity),
  ],
);

/**
 * Names that a project counts as another model or, as aliases of themselves, as separate models.
 */
export const modelAliases = pgTable(
  'model_aliases',
  {
    projectId: text('project_id').notNull(),
    /** In lower case: a name as sent, without its provider, or an identity. */
    alias: text('alias').notNull(),
    model: text('model').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.alias] })],
);

/** A project's own prices of models, in US dollars per million tokens. */
export const modelPrices = pgTable(
  'model_prices',
  {
    projectId: text('project_id').notNull(),
    /** In lower case: an identity, or a name as sent. */
    model: text('model').notNull(),
    /** The first UTC day of the price, which ends where the next one of the model begins. */
    validFrom: date('valid_from').notNull(),
    inputUsd: doublePrecision('input_usd').notNull(),
    outputUsd: doublePrecision('output_usd').notNull(),
    /** Null if priced like other tokens. */
    cacheReadUsd: doublePrecision('cache_read_usd'),
    cacheWriteUsd: doublePrecision('cache_write_usd'),
    reasoningUsd: doublePrecision('reasoning_usd'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.model, table.validFrom] })],
);
