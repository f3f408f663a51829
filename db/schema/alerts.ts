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
 * What people changed of the alerts that every project has: a row a kind and verifier ('' for all).
 * No row means the defaults.
 */
export const alertRules = pgTable(
  'alert_rules',
  {
    projectId: text('project_id').notNull(),
    kind: text('kind').notNull(),
    verifierSlug: text('verifier_slug').notNull().default(''),
    enabled: boolean('enabled').notNull(),
    /**
     * What the value is held against, on the measure's own scale; null for kinds that have none.
     */
    limitValue: doublePrecision('limit_value'),
    /** When that limit was put; other changes of the rule leave it. */
    limitSetAt: at('limit_set_at').notNull().defaultNow(),
    /** What is looked at: so many minutes back. */
    windowMinutes: integer('window_minutes').notNull(),
    /** What a window without data means: `ok`, `keep` (what it was before) or `alert`. */
    noData: text('no_data', { enum: ['ok', 'keep', 'alert'] }).notNull(),
    /** Said again so long after the last notice while it lasts; null: once. */
    renotifyMinutes: integer('renotify_minutes'),
    updatedBy: text('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind, table.verifierSlug] })],
);

/** How each alert stands, a row a kind and what it is about: a verifier, a provider, a queue. */
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
    /** In a sentence, with its numbers. */
    message: text('message').notNull(),
    /** What to do about it (SOAR-31). */
    advice: text('advice'),
    /** Where its rows are, from the project's address on. */
    href: text('href'),
    /** How often it was found alerting since people were last told. */
    found: integer('found').notNull().default(0),
    since: at('since').notNull().defaultNow(),
    /** When people were last told of it, that it began, lasts or is over. */
    notifiedAt: at('notified_at'),
    lookedAt: at('looked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.kind, table.series] })],
);

/**
 * Who looks at a project's alerts, so that of any number of processes one does: `fence` grows with
 * every look, and only the latest is stored.
 */
export const alertLooks = pgTable('alert_looks', {
  projectId: text('project_id').primaryKey(),
  lookedAt: at('looked_at').notNull(),
  fence: bigint('fence', { mode: 'number' }).notNull().default(0),
  /** `fence` of the last look that came to its end; behind it while one is under way. */
  endedFence: bigint('ended_fence', { mode: 'number' }).notNull().default(0),
  /** An edge process looked, since no worker did. */
  isSubstitute: boolean('stand_in').notNull(),
});

/** Every change of an alert's state, and every notice that it lasts; appended. */
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
    /** How many times it was found since the last notice. */
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

/** What people are told: an alert, or a report. Goes out through `deliveries`. */
export const notices = pgTable(
  'notices',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind', { enum: ['alert', 'report'] }).notNull(),
    /** The alert event or the report that it tells of. */
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
