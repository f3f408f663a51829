import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Prompt versions written by people; append-only. Version 0 is the text of the release and has no
 * row.
 */
export const promptVersions = pgTable(
  'prompt_versions',
  {
    projectId: text('project_id').notNull(),
    slug: text('slug').notNull(),
    version: integer('version').notNull(),
    body: text('body').notNull(),
    message: text('message').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.slug, table.version] })],
);

/**
 * The prompt version with a label; `production` is the version in use. Without a row it is version
 * 0.
 */
export const promptLabels = pgTable(
  'prompt_labels',
  {
    projectId: text('project_id').notNull(),
    slug: text('slug').notNull(),
    label: text('label').notNull(),
    version: integer('version').notNull(),
    movedBy: text('moved_by').notNull(),
    movedAt: at('moved_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.slug, table.label] })],
);
