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

/** Report schedules. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** A cron expression with five fields, and an IANA time zone. */
    cron: text('cron').notNull(),
    zone: text('zone').notNull().default('UTC'),
    /** The length of a report's period, in whole days before the scheduled time. */
    days: integer('days').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    /** Whether reports are sent to the destinations that subscribe to them. */
    sent: boolean('sent').notNull().default(true),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** When its timing was changed or it was enabled: earlier periods do not run. */
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/**
 * Created reports: later changes to the data do not change them. The id is that of the report's
 * job.
 */
export const reports = pgTable(
  'reports',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** Null if a person requested the report. */
    scheduleId: text('schedule_id'),
    title: text('title').notNull(),
    /** Its period, `to` exclusive. */
    from: at('from').notNull(),
    to: at('to').notNull(),
    /** The content (`Report`); null until it is created. */
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
