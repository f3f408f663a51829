export { type Client, openClient } from './client';
export {
  checkSchema,
  countMigrations,
  knownMigrations,
  migrateDatabase,
  migrateTo,
} from './migrate';
export * as schema from './schema';
/** @internal For tests of other rooms. */
export { tenantRole } from './secure';
export { findRowSecurity, tenantClient } from './tenant';
