export { type Client, openClient } from './client';
export {
  checkSchema,
  countMigrations,
  knownMigrations,
  migrateDatabase,
  migrateTo,
} from './migrate';
export * as schema from './schema';
/** @internal For tests of other modules. */
export { tenantRole } from './secure';
export { findRlsStatus, tenantClient } from './tenant';
