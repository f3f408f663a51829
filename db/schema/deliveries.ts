import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Destinations of verdicts, alerts and reports: a webhook, an OTLP collector, a chat webhook, or
 * e-mail addresses.
 */
export const destinations = pgTable(
  'destinations',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind', { enum: ['webhook', 'otlp', 'slack', 'email'] }).notNull(),
    name: text('name').notNull(),
    /** For the kind `email`: comma-separated addresses. */
    url: text('url').notNull(),
    /** The subscribed topics: `verdicts`, `alerts`, `reports`. */
    sends: text('sends').array().notNull().default(sql`'{verdicts}'`),
    /** A webhook's signing secret, encrypted and bound to this row and to the origin of `url`. */
    secretSealed: text('secret_sealed'),
    /** Additional headers as JSON, encrypted in the same way. */
    headersSealed: text('headers_sealed'),
    /** The outcomes to send; empty means all. */
    outcomes: text('outcomes').array().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/**
 * The delivery of one verdict or notice to one destination. Written by the statement that settles
 * the verdict or stores the notice. `nextAttemptAt` is also the lease, and `fence` grows with every
 * claim, as in `work`. There is no foreign key to `destinations`, since deleting a destination must
 * never prevent a verdict from settling.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    destinationId: text('destination_id').notNull(),
    /** Exactly one of `verdictId` and `noticeId` is set. */
    verdictId: text('verdict_id'),
    noticeId: text('notice_id'),
    state: text('state', { enum: ['waiting', 'delivered', 'dead'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('due_at').notNull().defaultNow(),
    owner: text('owner'),
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull().defaultNow(),
    deliveredAt: at('delivered_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('deliveries_once').on(table.projectId, table.destinationId, table.verdictId),
    uniqueIndex('deliveries_notice')
      .on(table.projectId, table.destinationId, table.noticeId)
      .where(sql`notice_id is not null`),
    index('deliveries_due').on(table.nextAttemptAt).where(sql`state = 'waiting'`),
    index('deliveries_dead')
      .on(table.projectId, table.destinationId, table.createdAt)
      .where(sql`state = 'dead'`),
    index('deliveries_listed').on(table.projectId, table.destinationId, table.createdAt),
  ],
);
