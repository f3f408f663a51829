import postgres from 'postgres';
import { migrateDatabase } from '../db/migrate';

/** Migrated once for all tests of a cluster: a copy takes a quarter of the time. */
export const template = 'assay_template';

/** Creates the template that `createTestDatabase` copies from now on. */
export async function createTestTemplate(serverUrl: string): Promise<void> {
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${template}`);
  await admin.end();
  await migrateDatabase(besideOf(serverUrl, template));
}

/** The address of another database of the same cluster. */
export function besideOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
