import { link, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { countMigrations, openClient } from '../../../db';
import { sealSecret } from '../../access';
import { type Ctx, refused } from '../../platform';
import { type BackupHead, backupVersion, createRowSum, endOfRows } from './archive';
import { probePlace, probeText } from './probe';

/** Tables excluded from a backup: sessions (everyone signs in again) and transient state. */
const leftOut = ['auth_sessions', 'auth_verifications', 'sign_in_tries', 'worker_boxes'];

export interface BackupWritten {
  readonly file: string;
  readonly at: string;
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Writes a whole database, as of one moment, into one file while others continue to write: a single
 * transaction reads it all (repeatable read). The file appears completely or not at all, is
 * readable only by its owner, and never overwrites another.
 * @param out a file whose name ends in .gz, or else a folder, created if missing, in which the file
 * is named after its time
 * @throws AssayError refused if the database has no account and no project, or if the file exists;
 * Error naming the fault of storage or of the file system
 */
export async function writeBackup(
  ctx: Pick<Ctx, 'env' | 'clock'>,
  out: string,
): Promise<BackupWritten> {
  const file = await fileFor(out, ctx.clock.now());
  const temporary = `${file}.${process.pid}.part`;
  const client = openClient(
    { databaseUrl: ctx.env.databaseUrl, queryTimeoutMs: 0, poolSize: 1 },
    { name: 'backup', max: 1 },
  );
  const handle = await open(temporary, 'wx', 0o600);
  const sums = { at: '', tables: 0, rows: 0 };
  try {
    await client.sql.begin('isolation level repeatable read read only', async (tx) => {
      await checkFilled(tx);
      await pipeline(
        Readable.from(bytesOf(ctx, tx, sums)),
        createGzip({ level: 4 }),
        handle.createWriteStream(),
      );
    });
    // Uses a hard link instead of a rename, because it fails if the name exists.
    await link(temporary, file).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
        ? refused(`${file} already exists; choose another file, or a folder`)
        : error;
    });
  } finally {
    await rm(temporary, { force: true });
    await client.close();
  }
  return { file, ...sums, bytes: (await stat(file)).size };
}

async function fileFor(out: string, now: Date): Promise<string> {
  if (out.endsWith('.gz')) return out;
  await mkdir(out, { recursive: true, mode: 0o700 });
  return join(out, `assay-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup.gz`);
}

/**
 * A command without a data folder starts an empty one, whose backup would be empty but look valid.
 */
async function checkFilled(tx: TransactionSql): Promise<void> {
  const [table] = await tx`select 1 from pg_class where oid = to_regclass('public.users')`;
  const [row] =
    table === undefined
      ? []
      : await tx`select 1 where exists (select from users) or exists (select from projects)`;
  if (row === undefined)
    throw refused(
      'the database has no account and no project, so there is nothing to back up; check ASSAY_DATA_DIR or DATABASE_URL',
    );
}

const lineOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

async function* bytesOf(
  ctx: Pick<Ctx, 'env'>,
  tx: TransactionSql,
  sums: { at: string; tables: number; rows: number },
): AsyncGenerator<Buffer> {
  const [moment] = await tx<{ at: string }[]>`select now()::text as at`;
  sums.at = moment?.at ?? '';
  const probe = ctx.env.secret === null ? null : sealSecret(ctx, probePlace, probeText);
  const head: BackupHead = {
    assay_backup: backupVersion,
    migrations: await countMigrations(tx as unknown as Sql),
    at: sums.at,
    probe,
  };
  yield lineOf(head);
  for (const { table, columns } of await tablesOf(tx)) {
    const sum = createRowSum();
    yield lineOf({ table, columns });
    const list = columns.map(quote).join(', ');
    const rows = await tx.unsafe(`copy (select ${list} from ${quote(table)}) to stdout`).readable();
    for await (const chunk of rows) {
      sum.add(chunk as Buffer);
      yield chunk as Buffer;
    }
    // The driver pauses its socket while a stream is full, and resumes it with the next read. After
    // the last row there is no next read, and the driver would never receive the next response.
    rows._read(0);
    const end = sum.end();
    sums.rows += end.rows;
    sums.tables++;
    yield Buffer.concat([Buffer.from(`${endOfRows}\n`), lineOf(end)]);
  }
  yield lineOf({ end: true, tables: sums.tables });
}

/** Orders referenced tables first. */
async function tablesOf(
  tx: TransactionSql,
): Promise<{ readonly table: string; readonly columns: readonly string[] }[]> {
  const rows = await tx<{ name: string; columns: string[] }[]>`
    select c.relname as name, (
      select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by not exists (select from pg_constraint f where f.confrelid = c.oid and f.contype = 'f'), c.relname`;
  return rows
    .filter(({ name }) => !leftOut.includes(name))
    .map(({ name, columns }) => ({ table: name, columns }));
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
