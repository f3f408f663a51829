import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type { Sql } from 'postgres';
import { buildBigIndexes, missingMigrations } from './big-indexes';
import { openClient } from './client';
import { secureTables, type RlsStatus } from './secure';

/** Resolves to the same folder from `db/` and from the bundles in `dist/`. */
const migrationsFolder = join(dirname(fileURLToPath(import.meta.url)), '..', 'db', 'migrations');

/**
 * The lock key, derived from the name of the database: one lock per database. Drizzle itself does
 * not protect against concurrent runs (reliability.md 1.1).
 */
const lockKey = `hashtextextended('assay migrations ' || current_database(), 0)`;

/** The number of migrations in this release. */
export function knownMigrations(): number {
  const journal: unknown = JSON.parse(
    readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'),
  );
  return (journal as { entries: unknown[] }).entries.length;
}

/**
 * Applies pending migrations under a session advisory lock: if several processes start, one applies
 * them, and the others wait and then have nothing to do. Then enables row-level security on
 * all tables, including new ones (S-3).
 * @throws Error if a migration fails (all pending ones are rolled back) or the database is newer
 * than this release.
 */
export async function migrateDatabase(
  databaseUrl: string,
): Promise<{ applied: number; rlsStatus: RlsStatus }> {
  const client = openClient(
    { databaseUrl, queryTimeoutMs: 0, poolSize: 1 },
    { name: 'migrate', max: 1 },
  );
  try {
    await takeLock(client.sql);
    const before = await appliedMigrations(client.sql);
    refuseNewer(before);
    // A new database has no large tables.
    if (before > 0) await buildBigIndexes(client.sql, missingMigrations(migrationsFolder, before));
    await client.sql.unsafe(`set lock_timeout = '2s'`);
    await migrate(drizzle(client.sql), { migrationsFolder });
    const rlsStatus = await secureTables(client.sql);
    return { applied: (await appliedMigrations(client.sql)) - before, rlsStatus };
  } finally {
    await client.close();
  }
}

/**
 * Creates the schema of an earlier release in an empty database: the first `count` migrations.
 * After a restore into it, `migrateDatabase` upgrades the data as it would have done in the
 * original database.
 */
export async function migrateTo(databaseUrl: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'));
  const client = openClient(
    { databaseUrl, queryTimeoutMs: 0, poolSize: 1 },
    { name: 'migrate', max: 1 },
  );
  try {
    const journal = JSON.parse(
      readFileSync(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'),
    ) as { entries: { tag: string }[] };
    const entries = journal.entries.slice(0, count);
    mkdirSync(join(folder, 'meta'));
    writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries)
      copyFileSync(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`));
    await takeLock(client.sql);
    await migrate(drizzle(client.sql), { migrationsFolder: folder });
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Polls for the lock: a statement that waits for it would be an open transaction, and a concurrent
 * index build in another process would wait for that transaction.
 */
async function takeLock(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql.unsafe<{ mine: boolean }[]>(
      `select pg_try_advisory_lock(${lockKey}) as mine`,
    );
    if (row?.mine === true) return;
    await pause(100);
  }
}

/** @throws Error in one sentence if the schema does not match this release. */
export async function checkSchema(sql: Sql): Promise<void> {
  const applied = await appliedMigrations(sql);
  refuseNewer(applied);
  if (applied < knownMigrations()) {
    throw new Error(
      `the database lacks ${knownMigrations() - applied} migration(s): run "assay migrate" first`,
    );
  }
}

function refuseNewer(applied: number): void {
  if (applied > knownMigrations()) {
    throw new Error(
      `the database has ${applied} migrations and this release knows ${knownMigrations()}: start the newer release`,
    );
  }
}

/** The number of migrations applied to this database. */
export async function countMigrations(sql: Sql): Promise<number> {
  return appliedMigrations(sql);
}

async function appliedMigrations(sql: Sql): Promise<number> {
  const [table] =
    await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`;
  if (table?.there !== true) return 0;
  const [row] = await sql`select count(*)::int as n from drizzle.__drizzle_migrations`;
  return Number(row?.n ?? 0);
}
