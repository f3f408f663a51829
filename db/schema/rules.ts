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
 * Rules send matching subjects to a verifier (product.md 3). A change increments `version`, which
 * decisions record.
 */
export const rules = pgTable(
  'rules',
  {
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull().default(1),
    verifier: text('verifier').notNull(),
    /** `turn`, `trace`, `session` or `mission`. */
    target: text('target').notNull(),
    filter: jsonb('filter').notNull(),
    /**
     * Values for the verifier's variables: RFC 9535 paths or constants (online.md 2); null for its
     * default inputs.
     */
    mapping: jsonb('mapping'),
    /** The share of matching subjects that is verified, 0 to 1. */
    sampling: doublePrecision('sampling').notNull(),
    /** The unit of `sampling`: `subject` or `session`. */
    sampleBy: text('sample_by', { enum: ['subject', 'session'] })
      .notNull()
      .default('subject'),
    /** Verifies every Nth turn of a session instead of sampling; null if `sampling` applies. */
    every: integer('every'),
    delaySeconds: integer('delay_seconds').notNull().default(0),
    /** The most subjects per UTC day; null means no limit. */
    dailyBudget: integer('daily_budget'),
    /** The most US dollars per UTC day for judge calls; null means no limit. */
    dailyBudgetUsd: doublePrecision('daily_budget_usd'),
    /** The parts of messages that count as sources (`SourceSettings`); null if there are none. */
    sources: jsonb('sources'),
    enabled: boolean('enabled').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

/** The decision of each rule on each subject, which explains why there is a verdict or none. */
export const decisions = pgTable(
  'decisions',
  {
    projectId: text('project_id').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    rule: text('rule').notNull(),
    ruleVersion: integer('rule_version').notNull(),
    subjectKind: text('subject_kind').notNull(),
    verifier: text('verifier').notNull(),
    state: text('state').notNull(),
    /** Display text: the clause that did not match, the sampling bucket and rate, or the budget. */
    reason: text('reason'),
    /** The resulting verdict, if the verifier ran. */
    verdictId: text('verdict_id'),
    decidedAt: at('decided_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.subjectId, table.revision, table.rule] }),
    index('decisions_rule').on(table.projectId, table.rule, table.decidedAt),
  ],
);

/** Counts of decisions by UTC day; `shard` as in `intake_rollups`. */
export const decisionRollups = pgTable(
  'decision_rollups',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    rule: text('rule').notNull(),
    state: text('state').notNull(),
    shard: text('shard').notNull(),
    count: bigint('count', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day, table.rule, table.state, table.shard] }),
  ],
);

/**
 * The subjects admitted under a rule's daily budget, one row per subject, so that a repeated
 * subject does not count twice.
 */
export const ruleSpending = pgTable(
  'rule_spending',
  {
    projectId: text('project_id').notNull(),
    rule: text('rule').notNull(),
    day: date('day').notNull(),
    verdictId: text('verdict_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.rule, table.day, table.verdictId] })],
);

/**
 * The time up to which idle sessions and missions were planned; without a row, planning starts with
 * the first rule.
 */
export const rulePlanning = pgTable(
  'rule_planning',
  {
    projectId: text('project_id').notNull(),
    target: text('target', { enum: ['session', 'mission'] }).notNull(),
    plannedTo: at('planned_to').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.target] })],
);

/**
 * The cost of the judge calls of a rule with a budget in dollars, and the maximum cost of calls in
 * progress; their sum never exceeds the budget.
 */
export const ruleCosts = pgTable(
  'rule_costs',
  {
    projectId: text('project_id').notNull(),
    rule: text('rule').notNull(),
    day: date('day').notNull(),
    /** Millionths of a US dollar. */
    spentMicros: bigint('spent_micros', { mode: 'number' }).notNull().default(0),
    /**
     * It is not released if a worker is lost during a call, since the call may have been charged.
     */
    reservedMicros: bigint('reserved_micros', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.rule, table.day] })],
);
