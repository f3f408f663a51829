import type { Ctx } from '../platform';
import { type Diagnosis, failed, messageOf, ok, warning } from './diagnosis';

type Db = Pick<Ctx, 'sql' | 'clock'>;

/** The oldest supported release of PostgreSQL, as `server_version_num` has it. */
const oldestPostgres = 150_000;
/** The share of the connections from which a new process may get none. */
const busyShare = 0.8;
/** A larger difference makes ages, schedules and the order of events on pages wrong. */
const skewMaxMs = 2_000;

interface Facts {
  version: string;
  number: number;
  connections: number;
  used: number;
  durable: boolean;
}

/** @throws if PostgreSQL cannot be reached */
export async function checkServer({ sql, clock }: Db): Promise<readonly Diagnosis[]> {
  const began = clock.monotonicMs();
  await sql`select 1`;
  const ms = Math.max(1, Math.round(clock.monotonicMs() - began));
  const [facts] = await sql<[Facts]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('max_connections')::int as connections,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('fsync')::bool and current_setting('full_page_writes')::bool as durable`;
  return [serverDiagnosis(facts, ms), connectionsDiagnosis(facts), durabilityDiagnosis(facts)];
}

function serverDiagnosis({ version, number }: Facts, ms: number): Diagnosis {
  const name = `PostgreSQL ${version.split(' ')[0] ?? version}`;
  return number < oldestPostgres
    ? failed('database', `${name} is too old`, 'Upgrade it to PostgreSQL 15 or later.')
    : ok('database', `${name} answered in ${ms} ms`);
}

function connectionsDiagnosis({ used, connections }: Facts): Diagnosis {
  const found = `${used} of ${connections} connections are in use`;
  return used >= busyShare * connections
    ? warning(
        'connections',
        found,
        'Raise max_connections, lower ASSAY_DB_POOL, or put PgBouncer before the database.',
      )
    : ok('connections', found);
}

const durabilityDiagnosis = ({ durable }: Facts): Diagnosis =>
  durable
    ? ok('durability', 'a commit survives a crash')
    : warning(
        'durability',
        'fsync or full_page_writes is off: a crash may damage the database',
        'Switch both on in postgresql.conf.',
      );

/** Compares this machine's clock with that of the database, at the middle of a query. */
export async function checkClock({ sql, clock }: Db): Promise<Diagnosis> {
  const began = clock.monotonicMs();
  const before = clock.now().getTime();
  const [row] = await sql<[{ ms: number }]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  const skewMs = before + (clock.monotonicMs() - began) / 2 - row.ms;
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  if (Math.abs(skewMs) <= skewMaxMs) return ok('clock', 'this machine and the database agree');
  return warning(
    'clock',
    `the clock of this machine is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the database's`,
    'Synchronise both machines by NTP.',
  );
}

export async function checkMigrations(
  { sql }: Db,
  checkSchema: (sql: Db['sql']) => Promise<void>,
): Promise<Diagnosis> {
  try {
    await checkSchema(sql);
    return ok('schema', 'it is the schema of this release');
  } catch (error) {
    return failed('schema', messageOf(error), 'Run assay migrate of the newest release in use.');
  }
}
