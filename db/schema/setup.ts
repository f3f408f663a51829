import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { projects, users } from './access';

/** Users who have hidden a project's setup list. */
export const setupHidden = pgTable(
  'setup_hidden',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hiddenAt: timestamp('hidden_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.userId] })],
);
