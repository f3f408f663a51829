export { type Client, openClient } from './client';
export { checkSchema, migrateDatabase } from './migrate';
export * as schema from './schema';
