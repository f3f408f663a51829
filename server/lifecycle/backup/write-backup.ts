import { link, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { countMigrations, openClient } from '../../../db';
import { sealSecret } from '../../access';
import { type Ctx, refused } from '../../platform';
import { type BackupHead, backupVersion, createRowSum, endOfRows } from './archive';
import { type ObjectPlace, placeText, putObject, readObjectPlace } from './object-storage';
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
 * Writes a whole database, as of one moment, into one file or object while others continue to
 * write: a single transaction reads it all (repeatable read). It appears completely or not at all,
 * and never overwrites another. A file is readable only by its owner.
 * @param out a file whose name ends in .gz, or else a folder, created if missing, in which the file
 * is named after its time; or `s3://BUCKET/KEY.gz`, or a prefix
 * @throws AssayError refused if the database has no account and no project, or if the target
 * exists or does not take it; Error naming the fault of storage or of the file system
 */
export async function writeBackup(
  ctx: Pick<Ctx, 'env' | 'clock'>,
  out: string,
): Promise<BackupWritten> {
  const place = readObjectPlace(out);
  const name = `assay-${ctx.clock.now().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup.gz`;
  return place === null ? writeFileBackup(ctx, out, name) : writeObject(ctx, place, name);
}

async function writeFileBackup(
  ctx: Pick<Ctx, 'env'>,
  out: string,
  name: string,
): Promise<BackupWritten> {
  const file = await fileFor(out, name);
  const temporary = `${file}.${process.pid}.part`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const sums = await dump(ctx, handle.createWriteStream());
    // Uses a hard link instead of a rename, because it fails if the name exists.
    await link(temporary, file).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
        ? refused(`${file} already exists; choose another file, or a folder`)
        : error;
    });
    return { file, ...sums, bytes: (await stat(file)).size };
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeObject(
  ctx: Pick<Ctx, 'env'>,
  { bucket, key }: ObjectPlace,
  name: string,
): Promise<BackupWritten> {
  const place = { bucket, key: keyFor(key, name) };
  const body = new PassThrough();
  const stored = putObject(ctx.env, place, body).catch((error: unknown) => {
    // Ends the reading of the database.
    body.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  // A fault of the database ends the stream, and so the upload, with the same error.
  const [dumped, sent] = await Promise.allSettled([dump(ctx, body), stored]);
  if (dumped.status === 'rejected') throw dumped.reason;
  if (sent.status === 'rejected') throw sent.reason;
  return { file: placeText(place), ...dumped.value, bytes: sent.value };
}

interface Dumped {
  readonly at: string;
  readonly tables: number;
  readonly rows: number;
}

async function dump(ctx: Pick<Ctx, 'env'>, target: Writable): Promise<Dumped> {
  const client = openClient(
    { databaseUrl: ctx.env.databaseUrl, queryTimeoutMs: 0, poolSize: 1 },
    { name: 'backup', max: 1 },
  );
  const sums = { at: '', tables: 0, rows: 0 };
  try {
    await client.sql.begin('isolation level repeatable read read only', async (tx) => {
      await checkFilled(tx);
      await pipeline(Readable.from(bytesOf(ctx, tx, sums)), createGzip({ level: 4 }), target);
    });
    return sums;
  } catch (error) {
    // Ends an upload whose dump failed before it began.
    target.destroy();
    throw error;
  } finally {
    await client.close();
  }
}

async function fileFor(out: string, name: string): Promise<string> {
  if (out.endsWith('.gz')) return out;
  await mkdir(out, { recursive: true, mode: 0o700 });
  return join(out, name);
}

function keyFor(key: string, name: string): string {
  if (key.endsWith('.gz')) return key;
  return key === '' || key.endsWith('/') ? `${key}${name}` : `${key}/${name}`;
}

/**
 * A command without a data folder starts an empty one, whose backup would be empty but appear
 * valid.
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

async function tablesOf(
  tx: TransactionSql,
): Promise<{ readonly table: string; readonly columns: readonly string[] }[]> {
  const rows = await tx<{ name: string; columns: string[] }[]>`
    select c.relname as name, (
      select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`;
  return rows
    .filter(({ name }) => !leftOut.includes(name))
    .map(({ name, columns }) => ({ table: name, columns }));
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
