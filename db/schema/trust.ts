import { sql } from 'drizzle-orm';
import {
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
 * What a verifier must show to be trusted, a row a verifier; `verifier_slug` '' is for all that
 * have none of their own. No row means the defaults.
 */
export const trustSettings = pgTable(
  'trust_settings',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    /** Whether a verifier that is not qualified loses the right to block and to steer. */
    enforceTrust: boolean('enforce_trust').notNull(),
    /**
     * The lower bound of the catch rate must reach the first, the upper bound of the
     * false-rejection rate must not pass the second; 0 to 1.
     */
    catchTarget: doublePrecision('catch_target').notNull(),
    falseRejectionTarget: doublePrecision('false_rejection_target').notNull(),
    /** Slices that must reach both by themselves, as `{by, value}`. */
    requiredSlices: jsonb('required_slices')
      .$type<{ by: 'model' | 'tier' | 'complexity' | 'mission'; value: string }[]>()
      .notNull()
      .default([]),
    /** After so many days a label counts half; 0: labels do not grow old. */
    halfLifeDays: integer('half_life_days').notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.verifierSlug] })],
);

/**
 * How far each version of a verifier is trusted, with each judge that it asks; made again from
 * judgements by workers.
 */
export const trustStates = pgTable(
  'trust_states',
  {
    projectId: text('project_id').notNull(),
    /** Of its series: `task`, `decomposition:self`. */
    verifierSlug: text('verifier_slug').notNull(),
    version: integer('version').notNull(),
    /** Who judges, as verdicts name them; '' where no one is asked. */
    judge: text('judge').notNull(),
    /** It is the version and judge that run now; one row a series of a verifier. */
    inForce: boolean('in_force').notNull().default(false),
    state: text('state', { enum: ['unmeasured', 'provisional', 'qualified', 'stale'] }).notNull(),
    /**
     * What is between this state and the next, and why it is stale; sentences with their
     * numbers (`TrustGap`).
     */
    gaps: jsonb('gaps').notNull().default([]),
    /** The measures that it rests on (`TrustMeasures`). */
    measures: jsonb('measures').notNull().default({}),
    since: at('since').notNull().defaultNow(),
    lookedAt: at('looked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.verifierSlug, table.version, table.judge] }),
  ],
);

/** Every change of a trust state, appended. */
export const trustChanges = pgTable(
  'trust_changes',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    version: integer('version').notNull(),
    judge: text('judge').notNull(),
    /** Null: it was first looked at. */
    before: text('before'),
    after: text('after').notNull(),
    reason: text('reason').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('trust_changes_verifier').on(table.projectId, table.verifierSlug, table.createdAt),
  ],
);

/**
 * Each wish to let another prompt version or another judge into production, and what became of it:
 * appended when it is asked for, ended once.
 */
export const promotions = pgTable(
  'promotions',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** Of the prompt; '' where the judge changes. */
    slug: text('slug').notNull(),
    /** Versions of the prompt, or model specs of the judge, as text. */
    before: text('before').notNull(),
    after: text('after').notNull(),
    /** The trial that it rests on; null: none was made. */
    trialId: text('trial_id'),
    /**
     * `waiting` for an approval, `refused` by the gate, `promoted`, `forced` against the gate's
     * word, `withdrawn`, `rolled_back`.
     */
    state: text('state', {
      enum: ['waiting', 'refused', 'promoted', 'forced', 'withdrawn', 'rolled_back'],
    }).notNull(),
    /** What the gate found, with its numbers (`GateFindings`). */
    findings: jsonb('findings').notNull(),
    reason: text('reason'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    approvedBy: text('approved_by'),
    endedBy: text('ended_by'),
    endedAt: at('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('promotions_slug').on(table.projectId, table.slug, table.createdAt),
    index('promotions_waiting').on(table.projectId, table.createdAt).where(sql`state = 'waiting'`),
  ],
);

/**
 * A judge's nature tried on purpose, one version of one verifier at a time; its id is its job's
 * (calibration.md 5.8).
 */
export const probeRuns = pgTable(
  'probe_runs',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    verifierVersion: integer('verifier_version').notNull(),
    /** `repeatability`, `order`, `length`, `self_preference` or `canaries`. */
    probe: text('probe').notNull(),
    items: integer('items').notNull(),
    /** How often each item is judged. */
    repeats: integer('repeats').notNull(),
    prompts: text('prompts'),
    judge: text('judge'),
    /** What it found, by its kind; null until it has ended. */
    findings: jsonb('findings'),
    costUsd: doublePrecision('cost_usd').notNull().default(0),
    createdBy: text('created_by').notNull(),
    startedAt: at('started_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('probe_runs_verifier').on(table.projectId, table.verifierSlug, table.startedAt),
  ],
);

/** What a probe asks, and what it was told: a row for each time that an item is judged. */
export const probeAnswers = pgTable(
  'probe_answers',
  {
    projectId: text('project_id').notNull(),
    runId: text('run_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    /**
     * How the item was changed for it: `as_is`, or what the probe does to it; and which time it is,
     * from 0.
     */
    variant: text('variant').notNull(),
    repeat: integer('repeat').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    excerpt: text('excerpt').notNull(),
    good: boolean('good'),
    /** Null while it waits. */
    judgedAt: at('judged_at'),
    outcome: text('outcome'),
    verdict: text('verdict'),
    score: doublePrecision('score'),
    reason: text('reason'),
    judge: text('judge'),
    /**
     * Parts that have an order, as they were scored: `{key, place, met}`; null where the kind
     * scores the whole alone.
     */
    parts:
      jsonb('parts').$type<
        readonly { readonly key: string; readonly place: number; readonly met: boolean }[]
      >(),
    costUsd: doublePrecision('cost_usd').notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.projectId, table.runId, table.ordinal, table.variant, table.repeat],
    }),
  ],
);
