import postgres from 'postgres';
import { migrateDatabase } from '../db/migrate';

/**
 * Migrated once for all tests of a cluster: copying it takes a quarter of the time of a migration.
 */
export const template = 'assay_template';

/** Creates the template that `createTestDatabase` copies from then on. */
export async function createTestTemplate(serverUrl: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  await migrateDatabase(siblingUrl(serverUrl, template));
}

/** The URL of another database in the same cluster. */
export function siblingUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
