import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Ground truth and people's rulings, appended and never edited (product.md 3, "labels"). */
export const labels = pgTable(
  'labels',
  {
    projectId: text('project_id').notNull(),
    /** The client's id, or one of ours. */
    id: text('id').notNull(),
    /**
     * `outcome` (sent by the caller), `import` (a label of an imported row), `override` (a person's verdict beside the machine's),
     * `grade` (stars, no ruling), `action` (what is done about the work, no ruling) or `undo` (takes another row back).
     */
    kind: text('kind').notNull(),
    /** What it is about: a turn, another subject, or a verdict. */
    subjectId: text('subject_id').notNull(),
    verdictId: text('verdict_id'),
    verifierSlug: text('verifier_slug'),
    /** The verdict that the rater gives, in the verifier's own words. */
    verdict: text('verdict'),
    /** 1 to 5 (VS-48). */
    grade: integer('grade'),
    /** The row that this one takes back. */
    undoes: text('undoes'),
    /** Whether the subject was good, as far as the label says. */
    success: boolean('success'),
    score: doublePrecision('score'),
    /** The label in the rater's own words, where it is not yes or no; what a person has done about the work. */
    value: text('value'),
    rater: text('rater'),
    source: text('source'),
    note: text('note'),
    /** How the item was chosen (`own_choice`, `reported`, `imported`, `sample`), and with what probability; null where nobody can tell. */
    selection: text('selection'),
    probability: doublePrecision('probability'),
    policyVersion: text('policy_version'),
    /** SHA-256 of what was sent: the same id with other content is refused. */
    contentHash: text('content_hash').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('labels_subject').on(table.projectId, table.subjectId),
    index('labels_verdict').on(table.projectId, table.verdictId).where(sql`verdict_id is not null`),
    index('labels_undone').on(table.projectId, table.undoes).where(sql`undoes is not null`),
    index('labels_created').on(table.projectId, table.createdAt),
  ],
);
