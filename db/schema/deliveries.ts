import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { members } from './access';

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
    /**
     * A Slack app's signing secret, encrypted in the same way; null if its messages have no
     * buttons.
     */
    actionsSecretSealed: text('actions_secret_sealed'),
    /** The outcomes to send; empty means all. */
    outcomes: text('outcomes').array().notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // A request from Slack names only the destination.
    index('destinations_actions').on(table.id).where(sql`actions_secret_sealed is not null`),
  ],
);

/**
 * The member as which a Slack user acts through the buttons of one destination. Deleted with the
 * membership, with the destination, and when the destination's signing secret changes.
 */
export const slackLinks = pgTable(
  'slack_links',
  {
    projectId: text('project_id').notNull(),
    destinationId: text('destination_id').notNull(),
    /** A user id of Slack is unique only in its workspace (team). */
    teamId: text('team_id').notNull(),
    slackUserId: text('slack_user_id').notNull(),
    slackName: text('slack_name').notNull(),
    userId: text('user_id').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({
      columns: [table.projectId, table.destinationId, table.teamId, table.slackUserId],
    }),
    foreignKey({
      name: 'slack_links_destination',
      columns: [table.projectId, table.destinationId],
      foreignColumns: [destinations.projectId, destinations.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'slack_links_member',
      columns: [table.projectId, table.userId],
      foreignColumns: [members.projectId, members.userId],
    }).onDelete('cascade'),
    index('slack_links_user').on(table.projectId, table.userId),
  ],
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
