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
 * Requirements for trust in a verifier, one row per verifier; `verifier_slug` '' applies to all
 * verifiers without their own row. Without a row the defaults apply.
 */
export const trustSettings = pgTable(
  'trust_settings',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    /** Whether a verifier that is not qualified is prevented from blocking and steering. */
    enforceTrust: boolean('enforce_trust').notNull(),
    /**
     * The minimum for the lower bound of the catch rate, and the maximum for the upper bound of the
     * false-rejection rate; 0 to 1.
     */
    catchTarget: doublePrecision('catch_target').notNull(),
    falseRejectionTarget: doublePrecision('false_rejection_target').notNull(),
    /** Slices that must each meet both targets, as `{by, value}`. */
    requiredSlices: jsonb('required_slices')
      .$type<{ by: 'model' | 'tier' | 'complexity' | 'mission'; value: string }[]>()
      .notNull()
      .default([]),
    /** The age in days at which a label counts half; 0 if labels do not age. */
    halfLifeDays: integer('half_life_days').notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.verifierSlug] })],
);

/**
 * The trust in each version of a verifier with each of its judges. Workers recompute it from
 * labelled verdicts.
 */
export const trustStates = pgTable(
  'trust_states',
  {
    projectId: text('project_id').notNull(),
    /** The verifier's series, such as `task` or `decomposition:self`. */
    verifierSlug: text('verifier_slug').notNull(),
    version: integer('version').notNull(),
    /** The judge, as named in verdicts; '' if none is called. */
    judge: text('judge').notNull(),
    /** The row of the current version and judge; one per series of a verifier. */
    inForce: boolean('in_force').notNull().default(false),
    state: text('state', { enum: ['unmeasured', 'provisional', 'qualified', 'stale'] }).notNull(),
    /**
     * The gaps to the next state, and the reasons why the state is stale: sentences with their
     * numbers (`TrustGap`).
     */
    gaps: jsonb('gaps').notNull().default([]),
    /** The measures that it is based on (`TrustMeasures`). */
    measures: jsonb('measures').notNull().default({}),
    since: at('since').notNull().defaultNow(),
    lookedAt: at('looked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.verifierSlug, table.version, table.judge] }),
  ],
);

/** Every change of a trust state; append-only. */
export const trustChanges = pgTable(
  'trust_changes',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    version: integer('version').notNull(),
    judge: text('judge').notNull(),
    /** Null for the first check. */
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
 * Requests to promote another prompt version or judge to production, with their results. A row is
 * inserted on request, and ended once.
 */
export const promotions = pgTable(
  'promotions',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** The slug of the prompt; '' for a change of the judge. */
    slug: text('slug').notNull(),
    /** Versions of the prompt, or model specs of the judge, as text. */
    before: text('before').notNull(),
    after: text('after').notNull(),
    /** The trial that it is based on; null if there was none. */
    trialId: text('trial_id'),
    /**
     * `waiting` (for an approval), `refused` (by the gate), `promoted`, `forced` (against the
     * gate's decision), `withdrawn` or `rolled_back`.
     */
    state: text('state', {
      enum: ['waiting', 'refused', 'promoted', 'forced', 'withdrawn', 'rolled_back'],
    }).notNull(),
    /** The findings of the gate, with their numbers (`GateFindings`). */
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
 * Probes of a judge, each with one version of one verifier; the id is that of the job
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
    /** The findings, in a format that depends on the probe; null until it has ended. */
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

/** The results of a probe, one row for each judgement of an item. */
export const probeAnswers = pgTable(
  'probe_answers',
  {
    projectId: text('project_id').notNull(),
    runId: text('run_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    /**
     * The form of the item (`as_is`, or the probe's modification), and the number of the repeat,
     * from 0.
     */
    variant: text('variant').notNull(),
    repeat: integer('repeat').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    excerpt: text('excerpt').notNull(),
    good: boolean('good'),
    /** Null while it is pending. */
    judgedAt: at('judged_at'),
    outcome: text('outcome'),
    verdict: text('verdict'),
    score: doublePrecision('score'),
    reason: text('reason'),
    judge: text('judge'),
    /**
     * The ordered parts with their results, as `{key, place, met}`; null if the kind scores only
     * the whole.
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
