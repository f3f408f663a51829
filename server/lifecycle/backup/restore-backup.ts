import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { knownMigrations, migrateDatabase, migrateTo, openClient } from '../../../db';
import { dropDestinationSecrets, freeDeliveries } from '../../deliveries';
import { releaseAllItems } from '../../labels';
import { dropProviderSecrets } from '../../llm';
import { type Ctx, invalid, refused } from '../../platform';
import { freeLeases } from '../../queue';
import {
  type BackupHead,
  backupVersion,
  createRowSum,
  LineReader,
  type TableEnd,
  type TableStart,
} from './archive';
import { getObject, readObjectPlace } from './object-storage';
import { checkKey } from './probe';
import { quote } from './write-backup';

export interface RestoreOptions {
  /**
   * Restores although the sealed secrets cannot be opened. Leaves them out; they must be entered
   * again.
   */
  readonly withoutSecrets: boolean;
}

export interface Restored {
  /** The time of the backup. */
  readonly at: string;
  readonly tables: number;
  readonly rows: number;
  /** Number of secrets omitted because the key that sealed them is missing. */
  readonly secretsLeftOut: number;
}

/**
 * Restores a backup, a file or `s3://BUCKET/KEY`, into an empty database. Before any change it
 * checks the file, the key, the schema, and that no data could be lost. Stores the rows in one
 * transaction: a file that turns out to be damaged leaves the database empty.
 * @throws AssayError invalid_request (not a complete backup), refused (another key; the database is
 * not empty, in use, or of an older release)
 */
export async function restoreBackup(
  ctx: Pick<Ctx, 'env'>,
  file: string,
  options: RestoreOptions,
): Promise<Restored> {
  const { databaseUrl } = ctx.env;
  const place = readObjectPlace(file);
  const source = place === null ? createReadStream(file) : await getObject(ctx.env, place);
  const unzipped = createGunzip();
  // A pipe does not pass on that its source failed; the reader would wait forever.
  source.on('error', (error: Error) => unzipped.destroy(error));
  const reader = new LineReader(source.pipe(unzipped));
  const head = readHead(await reader.line());
  if (!options.withoutSecrets) checkKey(ctx, head.probe);
  const client = openClient(
    { databaseUrl, queryTimeoutMs: 0, poolSize: 1 },
    { name: 'restore', max: 1 },
  );
  try {
    await prepareSchema(client.sql, databaseUrl, head.migrations);
    const loaded = await client.sql.begin(async (tx) => {
      const foreignKeys = await dropForeignKeys(tx);
      const done = await load(tx, reader);
      for (const statement of foreignKeys) await tx.unsafe(statement);
      const secretsLeftOut = options.withoutSecrets ? await leaveSecretsOut(tx) : 0;
      await freeLeases(tx);
      await freeDeliveries(tx);
      await releaseAllItems(tx);
      return { ...done, secretsLeftOut };
    });
    await migrateDatabase(databaseUrl);
    return { at: head.at, ...loaded };
  } finally {
    source.destroy();
    await client.close();
  }
}

function readHead(line: string): BackupHead {
  const head = readLine(line);
  if (typeof head.assay_backup !== 'number') throw invalid('the file is not a backup of Assay');
  if (head.assay_backup !== backupVersion)
    throw invalid(
      `the backup has format ${head.assay_backup}, but this release reads format ${backupVersion}`,
    );
  const migrations = Number(head.migrations);
  if (migrations > knownMigrations()) {
    throw refused(
      `the backup is from a newer release: it has ${migrations} migrations, but this one knows ${knownMigrations()}`,
    );
  }
  return {
    assay_backup: backupVersion,
    migrations,
    at: String(head.at),
    probe: typeof head.probe === 'string' ? head.probe : null,
  };
}

function readLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value));
  } catch {
    // Reported below.
  }
  throw invalid('the file is not a complete backup of Assay: a line of it cannot be read');
}

/**
 * Creates the empty schema of the backup.
 * @throws AssayError refused if the database contains data, or another process uses it
 */
async function prepareSchema(sql: Sql, databaseUrl: string, migrations: number): Promise<void> {
  const [busy] = await sql<{ name: string }[]>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^assay (web|edge|worker)' limit 1`;
  if (busy !== undefined)
    throw refused(
      `the database is in use (${busy.name}); stop web, edge and workers, then restore`,
    );
  const [made] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.projects') is not null as there`;
  if (made?.there === true) {
    const [row] = await sql<{ full: boolean }[]>`
      select exists (select from projects) or exists (select from users) or exists (select from turns) as full`;
    if (row?.full === true)
      throw refused(
        'the database is not empty; restore into an empty one, so that nothing is lost',
      );
    // The database contains no data. A schema newer than the backup's could not store its rows
    // unchanged.
    await sql.unsafe(
      `drop schema public cascade; create schema public; grant usage on schema public to public; drop schema if exists drizzle cascade`,
    );
  }
  await migrateTo(databaseUrl, migrations);
}

/** Tables are stored in no order of references. Returns the statements that add the keys again. */
async function dropForeignKeys(tx: TransactionSql): Promise<readonly string[]> {
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`;
  for (const { table, name } of keys)
    await tx.unsafe(`alter table ${table} drop constraint ${name}`);
  return keys.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
  );
}

async function load(
  tx: TransactionSql,
  reader: LineReader,
): Promise<{ readonly tables: number; readonly rows: number }> {
  let tables = 0;
  let rows = 0;
  for (;;) {
    const line = readLine(await reader.line());
    if (line.end === true) {
      if (line.tables !== tables) throw invalid('the backup is incomplete: tables are missing');
      return { tables, rows };
    }
    const { table, columns } = line as unknown as TableStart;
    if (!/^[a-z_]+$/.test(table) || !columns.every((name) => /^[a-z_0-9]+$/.test(name)))
      throw invalid('the backup has a row without a table');
    rows += await loadTable(tx, reader, { table, columns });
    tables++;
  }
}

async function loadTable(
  tx: TransactionSql,
  reader: LineReader,
  { table, columns }: TableStart,
): Promise<number> {
  const sum = createRowSum();
  const into = await tx
    .unsafe(`copy ${quote(table)} (${columns.map(quote).join(', ')}) from stdin`)
    .writable();
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of reader.rows()) {
      sum.add(piece);
      yield piece;
    }
  }
  await pipeline(Readable.from(pieces()), into);
  const recorded = readLine(await reader.line()) as unknown as TableEnd;
  const found = sum.end();
  if (recorded.rows !== found.rows || recorded.sha256 !== found.sha256)
    throw invalid(
      `the backup was changed: the number of rows of "${table}" differs from its count`,
    );
  return found.rows;
}

/** Removes sealed secrets: without the key they are useless and would only cause later failures. */
async function leaveSecretsOut(tx: TransactionSql): Promise<number> {
  return (await dropProviderSecrets(tx)) + (await dropDestinationSecrets(tx));
}
