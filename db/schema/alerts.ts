import {
  bigint,
  boolean,
  date,
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
    /**
     * The limit that the value is compared with, on the metric's own scale; null for kinds without
     * a limit.
     */
    limitValue: doublePrecision('limit_value'),
    /** When the limit was set; other changes to the rule do not update it. */
    limitSetAt: at('limit_set_at').notNull().defaultNow(),
    /** The length of the window before now, in minutes. */
    windowMinutes: integer('window_minutes').notNull(),
    /** The state for a window without data: `ok`, `keep` (the previous state) or `alert`. */
    noData: text('no_data', { enum: ['ok', 'keep', 'alert'] }).notNull(),
    /**
     * The interval in minutes at which the notice is repeated while the alert lasts; null if it is
     * not repeated.
     */
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
    /** The display name of the series. */
    name: text('name').notNull(),
    state: text('state', { enum: ['ok', 'alerting', 'no_data'] }).notNull(),
    severity: text('severity', { enum: ['high', 'medium', 'low'] }).notNull(),
    value: doublePrecision('value'),
    limitValue: doublePrecision('limit_value'),
    /** A sentence that contains the numbers. */
    message: text('message').notNull(),
    /** The recommended action (SOAR-31). */
    advice: text('advice'),
    /** The path of the page with the affected rows, within the project. */
    href: text('href'),
    /** The number of checks that found it alerting since the last notice. */
    found: integer('found').notNull().default(0),
    since: at('since').notNull().defaultNow(),
    /** When the last notice was sent, which reported that the alert began, lasts or ended. */
    notifiedAt: at('notified_at'),
    lookedAt: at('looked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind, table.series] })],
);

/**
 * The claim on a project's alert check, so that only one process runs it. `fence` grows with every
 * check, and only the latest check may store its result.
 */
export const alertChecks = pgTable('alert_looks', {
  projectId: text('project_id').primaryKey(),
  lookedAt: at('looked_at').notNull(),
  fence: bigint('fence', { mode: 'number' }).notNull().default(0),
  /** The `fence` of the last check that ended; lower than `fence` while a check is in progress. */
  endedFence: bigint('ended_fence', { mode: 'number' }).notNull().default(0),
  /** An edge process ran the check, because no worker did. */
  isSubstitute: boolean('stand_in').notNull(),
});

/**
 * Counts of a past UTC day that no other table has, for the detector of changes. They are replaced
 * when `basis` changes: the counters of the day, and the latest recount of costs.
 */
export const findingDays = pgTable(
  'finding_days',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    basis: text('basis').notNull(),
    /** Lists of `[key…, counts…]`, as `DayCounts` (server/alerts/detector/day-counts.ts). */
    counts: jsonb('counts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day] })],
);

/**
 * Every change of an alert's state, every repeated notice and every acknowledgement; append-only. A
 * row with the event `began` identifies a finding: the period that it begins.
 */
export const alertEvents = pgTable(
  'alert_events',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    series: text('series').notNull(),
    name: text('name').notNull(),
    event: text('event', {
      enum: ['began', 'lasts', 'acknowledged', 'recovered', 'no_data'],
    }).notNull(),
    severity: text('severity', { enum: ['high', 'medium', 'low'] }).notNull(),
    value: doublePrecision('value'),
    limitValue: doublePrecision('limit_value'),
    message: text('message').notNull(),
    /** The number of checks that found it since the last notice. */
    found: integer('found').notNull().default(1),
    noticeId: text('notice_id'),
    /** The person who acknowledged it; null for other events. */
    createdBy: text('created_by'),
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
    /** The id of the alert event or report. */
    refId: text('ref_id').notNull(),
    severity: text('severity', { enum: ['high', 'medium', 'low'] }).notNull(),
    /** One line. */
    subject: text('subject').notNull(),
    /** Markdown. */
    text: text('text').notNull(),
    /** The same content in machine-readable form. */
    data: jsonb('data').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);
