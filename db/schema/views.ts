import { boolean, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import { savedViewPages } from '../../server/domain';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Named filters of a list, private to a person or shared with the project. */
export const savedViews = pgTable(
  'saved_views',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** The filtered list. */
    page: text('page', { enum: savedViewPages }).notNull(),
    name: text('name').notNull(),
    /** The query string of the list's URL, such as `?outcome=failed`. */
    query: text('query').notNull(),
    /** The id of the person who saved it. */
    ownerId: text('owner_id').notNull(),
    shared: boolean('shared').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('saved_views_name').on(table.projectId, table.ownerId, table.page, table.name),
  ],
);
