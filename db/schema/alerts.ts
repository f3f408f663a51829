import {
  bigint,
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
 * Changes to the default alert rules, one row per kind and verifier ('' for all). Without a row the
 * defaults apply.
 */
export const alertRules = pgTable(
  'alert_rules',
  {
    projectId: text('project_id').notNull(),
    kind: text('kind').notNull(),
    verifierSlug: text('verifier_slug').notNull().default(''),
    enabled: boolean('enabled').notNull(),
    /** Compared with the value, on the measure's own scale; null for kinds without a limit. */
    limitValue: doublePrecision('limit_value'),
    /** When that limit was set; other changes of the rule do not update it. */
    limitSetAt: at('limit_set_at').notNull().defaultNow(),
    /** Length of the window, in minutes up to now. */
    windowMinutes: integer('window_minutes').notNull(),
    /** The meaning of a window without data: `ok`, `keep` (the previous state) or `alert`. */
    noData: text('no_data', { enum: ['ok', 'keep', 'alert'] }).notNull(),
    /** Minutes until the notice is repeated while the alert lasts; null: never. */
    renotifyMinutes: integer('renotify_minutes'),
    updatedBy: text('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind, table.verifierSlug] })],
);

/** The state of each alert: one row per kind and object (a verifier, a provider, a queue). */
export const alertStates = pgTable(
  'alert_states',
  {
    projectId: text('project_id').notNull(),
    kind: text('kind').notNull(),
    series: text('series').notNull(),
    /** The series for people. */
    name: text('name').notNull(),
    state: text('state', { enum: ['ok', 'alerting', 'no_data'] }).notNull(),
    severity: text('severity', { enum: ['high', 'medium', 'low'] }).notNull(),
    value: doublePrecision('value'),
    limitValue: doublePrecision('limit_value'),
    /** A sentence with the numbers. */
    message: text('message').notNull(),
    /** The recommended action (SOAR-31). */
    advice: text('advice'),
    /** The path of its rows within the project. */
    href: text('href'),
    /** How often it was found alerting since the last notice. */
    found: integer('found').notNull().default(0),
    since: at('since').notNull().defaultNow(),
    /** When the last notice was sent: that it began, lasts or ended. */
    notifiedAt: at('notified_at'),
    lookedAt: at('looked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind, table.series] })],
);

/**
 * The claim on a project's alert check, so that only one process runs it: `fence` grows with every
 * check, and only the latest check is stored.
 */
export const alertLooks = pgTable('alert_looks', {
  projectId: text('project_id').primaryKey(),
  lookedAt: at('looked_at').notNull(),
  fence: bigint('fence', { mode: 'number' }).notNull().default(0),
  /** `fence` of the last check that ended; lower than `fence` while one is in progress. */
  endedFence: bigint('ended_fence', { mode: 'number' }).notNull().default(0),
  /** The check was run by an edge process, because no worker did. */
  isSubstitute: boolean('stand_in').notNull(),
});

/** Every change of an alert's state, and every repeated notice; append-only. */
export const alertEvents = pgTable(
  'alert_events',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    series: text('series').notNull(),
    name: text('name').notNull(),
    event: text('event', { enum: ['began', 'lasts', 'recovered', 'no_data'] }).notNull(),
    severity: text('severity', { enum: ['high', 'medium', 'low'] }).notNull(),
    value: doublePrecision('value'),
    limitValue: doublePrecision('limit_value'),
    message: text('message').notNull(),
    /** How often it was found since the last notice. */
    found: integer('found').notNull().default(1),
    noticeId: text('notice_id'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('alert_events_created').on(table.projectId, table.createdAt, table.id),
    index('alert_events_series').on(table.projectId, table.kind, table.series, table.createdAt),
  ],
);

/** Notices to people, about an alert or a report; sent through `deliveries`. */
export const notices = pgTable(
  'notices',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind', { enum: ['alert', 'report'] }).notNull(),
    /** The alert event or the report that it is about. */
    refId: text('ref_id').notNull(),
    severity: text('severity', { enum: ['high', 'medium', 'low'] }).notNull(),
    /** One line. */
    subject: text('subject').notNull(),
    /** Markdown. */
    text: text('text').notNull(),
    /** For machines. */
    data: jsonb('data').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);
