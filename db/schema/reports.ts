import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Reports that are made on time. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** Five fields and an IANA zone. */
    cron: text('cron').notNull(),
    zone: text('zone').notNull().default('UTC'),
    /** Whole days before the period's first moment that a report tells of. */
    days: integer('days').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Whether it goes out to destinations that take reports. */
    sent: boolean('sent').notNull().default(true),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** When its timing was set or it was switched on: nothing that was due before is its own. */
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** A report as it was made: it does not change when its rows do. Its id is its job's. */
export const reports = pgTable(
  'reports',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** Null: a person asked for it. */
    scheduleId: text('schedule_id'),
    title: text('title').notNull(),
    /** What it tells of, `to` exclusive. */
    from: at('from').notNull(),
    to: at('to').notNull(),
    /** Its content (`Report`); null until it is made. */
    content: jsonb('content'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    madeAt: at('made_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('reports_created').on(table.projectId, table.createdAt, table.id),
  ],
);
