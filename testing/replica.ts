import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { ensureCluster } from '../scripts/postgres.mjs';
import type { TestCluster } from '../scripts/temporary-cluster.mjs';
import { until } from './until';

export interface Replica {
  readonly port: number;
  /** Ends the replication; resolves when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A streaming replica of a cluster. From then on, each commit of the cluster waits for the replica
 * (`synchronous_standby_names`). The embedded PostgreSQL has no pg_basebackup: this copies the
 * folder between pg_backup_start and pg_backup_stop, which must be on the same connection.
 */
export async function startReplica(primary: TestCluster): Promise<Replica> {
  const admin = postgres(primary.url, { max: 1, onnotice: () => undefined });
  const dataDir = mkdtempSync(join(dirname(primary.dataDir), `assay-test-${process.pid}-replica-`));
  chmodSync(dataDir, 0o711);
  mkdirSync(join(dataDir, 'logs'));
  const clusterDir = join(dataDir, 'postgres');
  try {
    await admin`select pg_backup_start('replica', true)`;
    // Keeps the owner, which runs the server.
    execFileSync('cp', ['-a', join(primary.dataDir, 'postgres'), clusterDir]);
    const [backup] = await admin<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`;
    rmSync(join(clusterDir, 'postmaster.pid'));
    const { uid, gid } = statSync(clusterDir);
    for (const [name, text] of [
      ['backup_label', backup?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(clusterDir, name), text);
      chownSync(join(clusterDir, name), uid, gid);
    }
    const { hostname: host, port, username: user, password } = new URL(primary.url);
    const server = await ensureCluster({
      dataDir,
      settings: {
        shared_buffers: '64MB',
        primary_conninfo: `host=${host} port=${port} user=${user} password=${password}`,
      },
    });
    await admin.unsafe(`alter system set synchronous_standby_names = '*'`);
    await admin`select pg_reload_conf()`;
    await until('the replica is synchronous', async () => {
      const rows = await admin`select 1 from pg_stat_replication where sync_state = 'sync'`;
      return rows.length === 1 ? true : null;
    });
    const promote = async (): Promise<void> => {
      const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
      await sql`select pg_promote()`;
      // The copy of the primary's setting would make each commit wait for a replica of this one.
      await sql.unsafe('alter system reset synchronous_standby_names');
      await sql`select pg_reload_conf()`;
      await sql.end();
    };
    const stop = async (): Promise<void> => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { port: server.port, promote, stop };
  } finally {
    await admin.end();
  }
}
