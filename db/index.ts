export { type Client, openClient } from './client';
export {
  checkSchema,
  countMigrations,
  knownMigrations,
  migrateDatabase,
  migrateTo,
} from './migrate';
export * as schema from './schema';
export { type TenantNet, tenantRole } from './secure';
export { findNet, tenantClient } from './tenant';
