import { sql } from 'drizzle-orm';
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Named sets of items for experiments. `version` is the latest version; 0 if there is none yet. */
export const datasets = pgTable(
  'datasets',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    version: integer('version').notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('datasets_slug').on(table.projectId, table.slug),
  ],
);

/** Immutable versions of a dataset, with the changes of each in comparison with the one before. */
export const datasetVersions = pgTable(
  'dataset_versions',
  {
    projectId: text('project_id').notNull(),
    datasetId: text('dataset_id').notNull(),
    version: integer('version').notNull(),
    items: integer('items').notNull(),
    added: integer('added').notNull(),
    changed: integer('changed').notNull(),
    removed: integer('removed').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.datasetId, table.version] })],
);

/**
 * Items of datasets. A row belongs to the versions from `fromVersion` up to, but not including,
 * `toVersion` (null means the latest), so that a version that adds one item stores one row.
 */
export const datasetItems = pgTable(
  'dataset_items',
  {
    projectId: text('project_id').notNull(),
    datasetId: text('dataset_id').notNull(),
    id: text('id').notNull(),
    fromVersion: integer('from_version').notNull(),
    toVersion: integer('to_version'),
    /** The position in the dataset; a changed item keeps it. */
    ordinal: bigint('ordinal', { mode: 'number' }).notNull(),
    /** JSON text of `{input, context, tools, reference, metadata}`, with digits and order as sent. */
    content: text('content').notNull(),
    /** The hex SHA-256 of the input, the context and the tools, to find duplicates. */
    contentHash: text('content_hash').notNull(),
    /** A free name, such as `dev`; `held_out` hides the item from people who edit prompts. */
    split: text('split'),
    tags: text('tags').array().notNull(),
    /** The turn that the item was made from. */
    turnId: text('turn_id'),
    /**
     * How the turn was selected for the label of the reference, and its probability, as in
     * `labels`; null if unknown.
     */
    selection: text('selection'),
    probability: doublePrecision('probability'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.datasetId, table.id, table.fromVersion] }),
    index('dataset_items_place').on(table.projectId, table.datasetId, table.ordinal),
    index('dataset_items_content').on(table.projectId, table.datasetId, table.contentHash),
    index('dataset_items_turn').on(table.projectId, table.turnId).where(sql`turn_id is not null`),
  ],
);

/** Runs of a target over one version of a dataset, with the verifiers of its outputs. */
export const experiments = pgTable(
  'experiments',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    datasetId: text('dataset_id').notNull(),
    datasetSlug: text('dataset_slug').notNull(),
    datasetVersion: integer('dataset_version').notNull(),
    /** The split of the items; null means all except `held_out`. */
    split: text('split'),
    repetitions: integer('repetitions').notNull(),
    /** The target as sent, without the values of its headers. */
    target: jsonb('target').notNull().$type<Record<string, unknown>>(),
    /** The headers of a target of type `http`, encrypted; null if there are none. */
    headers: text('headers'),
    verifiers: text('verifiers').array().notNull(),
    concurrency: integer('concurrency').notNull(),
    /** Millionths of a US dollar, for the target and the judges; null means no limit. */
    budgetMicros: bigint('budget_micros', { mode: 'number' }),
    spentMicros: bigint('spent_micros', { mode: 'number' }).notNull().default(0),
    /** The upper bound of the cost of the calls in progress. */
    reservedMicros: bigint('reserved_micros', { mode: 'number' }).notNull().default(0),
    branch: text('branch'),
    commit: text('commit'),
    /** The experiment that this one is compared with by default. */
    baselineId: text('baseline_id'),
    /** The job that runs it; changes when it is resumed. */
    jobId: text('job_id').notNull(),
    /** `open`: waits for outputs to be sent. */
    state: text('state', {
      enum: ['open', 'running', 'done', 'over_budget', 'cancelled', 'failed'],
    }).notNull(),
    /** Why it stopped, as display text. */
    reason: text('reason'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    finishedAt: at('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('experiments_created').on(table.projectId, table.createdAt, table.id),
  ],
);

/** One row for each item and repetition of an experiment. Its output is a turn. */
export const experimentRows = pgTable(
  'experiment_rows',
  {
    projectId: text('project_id').notNull(),
    experimentId: text('experiment_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    itemId: text('item_id').notNull(),
    repetition: integer('repetition').notNull(),
    /**
     * `asked`: the target was called and has not answered yet. `lost`: its process ended before the
     * answer was stored; it is not called again unless a person requests this, since the call may
     * have been charged.
     */
    state: text('state', { enum: ['waiting', 'asked', 'answered', 'failed', 'lost'] })
      .notNull()
      .default('waiting'),
    turnId: text('turn_id'),
    /** The cost of the output in US dollars; null if unknown. */
    costUsd: doublePrecision('cost_usd'),
    latencyMs: doublePrecision('latency_ms'),
    error: text('error'),
    /** The upper bound of the cost of the call in progress, millionths of a US dollar. */
    reservedMicros: bigint('reserved_micros', { mode: 'number' }).notNull().default(0),
    askedAt: at('asked_at'),
    endedAt: at('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.experimentId, table.ordinal] }),
    uniqueIndex('experiment_rows_item').on(
      table.projectId,
      table.experimentId,
      table.itemId,
      table.repetition,
    ),
    index('experiment_rows_turn').on(table.projectId, table.turnId).where(sql`turn_id is not null`),
  ],
);
