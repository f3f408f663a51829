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

/** Schedules of reports. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** Five fields and an IANA zone. */
    cron: text('cron').notNull(),
    zone: text('zone').notNull().default('UTC'),
    /** The length of a report's period, in whole days before the scheduled time. */
    days: integer('days').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Whether it is sent to the destinations that accept reports. */
    sent: boolean('sent').notNull().default(true),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** When its timing was set or it was enabled: earlier periods do not count. */
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** A report as it was made: later changes of its data do not change it. Its id is its job's. */
export const reports = pgTable(
  'reports',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** Null: requested by a person. */
    scheduleId: text('schedule_id'),
    title: text('title').notNull(),
    /** Its period, `to` exclusive. */
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
