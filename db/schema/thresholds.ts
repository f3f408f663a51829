import {
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Verdict thresholds; append-only: the highest version of a scope is current. A scope is the
 * project (both ids ''), a mission (`taskId` '') or one task of a mission; the most specific scope
 * applies. A null `value` removes the scope's own value.
 */
export const thresholds = pgTable(
  'thresholds',
  {
    projectId: text('project_id').notNull(),
    verifier: text('verifier').notNull(),
    key: text('key').notNull(),
    missionId: text('mission_id').notNull().default(''),
    taskId: text('task_id').notNull().default(''),
    version: integer('version').notNull(),
    value: doublePrecision('value'),
    reason: text('reason'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.projectId,
        table.verifier,
        table.key,
        table.missionId,
        table.taskId,
        table.version,
      ],
    }),
  ],
);
