import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger, createLedger } from '../../../testing/ledger';
import { endAll, startEdge, startWorker } from '../../../testing/processes';
import { createStack, sampleTurn } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { ensureCluster } from '../../../scripts/postgres.mjs';

afterAll(() => endAll());

/** A separate file system of 200 MB; the reason when this machine does not permit one. */
function mountSmall(): { readonly dir: string; unmount(): void } | { readonly refused: string } {
  if (process.getuid?.() !== 0) return { refused: 'not root: no file system can be mounted' };
  const dir = mkdtempSync('/tmp/assay-full-');
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=0711', 'assay-full', dir], {
    encoding: 'utf8',
  });
  if (done.status !== 0) {
    rmSync(dir, { recursive: true });
    return { refused: `mount was refused: ${done.stderr.trim()}` };
  }
  return {
    dir,
    unmount() {
      spawnSync('umount', [dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function fill(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (const size of [1 << 20, 4096, 1]) {
      const block = Buffer.alloc(size, 1);
      try {
        for (;;) writeSync(handle, block);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(handle);
  }
}

test('R-37 the disk is full: 503 meanwhile, reads work, work continues by itself after room is made, indexes are intact', async (context) => {
  const disk = mountSmall();
  if ('refused' in disk) {
    process.stdout.write(`R-37 not run: ${disk.refused}\n`);
    context.skip(disk.refused);
    return;
  }
  const settings = { shared_buffers: '16MB', max_wal_size: '64MB', min_wal_size: '32MB' };
  const cluster = await ensureCluster({ dataDir: disk.dir, settings });
  const stack = await createStack(cluster.url);
  try {
    const edge = await startEdge(stack.variables);
    const worker = await startWorker(stack.variables);
    const ledger = createLedger({ url: edge.url, key: stack.key });
    const statusOf = async (path: string): Promise<number> => {
      const response = await fetch(edge.url + path, {
        headers: { authorization: `Bearer ${stack.key}` },
      });
      await response.arrayBuffer();
      return response.status;
    };
    let next = 0;
    const batch = () =>
      Array.from({ length: 20 }, () =>
        sampleTurn(`r37-${next++}`, {
          metadata: { note: Buffer.alloc(1500, next % 251).toString('base64') },
        }),
      );
    for (let i = 0; i < 10; i++) await ledger.postUntilAcked(batch());
    await stack.drained();
    // Most of a fresh WAL segment is available to the next writes, so the tables fill up before the
    // log.
    await stack.sql`select pg_switch_wal()`;
    await stack.sql`checkpoint`;
    const filler = join(disk.dir, 'filler');
    fill(filler);
    await until('refused', async () => ((await ledger.post(batch())) ? null : true));
    const reads: number[] = [];
    for (let i = 0; i < 15; i++) {
      await ledger.post(batch());
      reads.push(await statusOf('/v1/verifications?limit=5'), await statusOf('/healthz'));
    }
    expect(reads.every((status) => status === 200)).toBe(true);
    const refused = ledger.statuses.get(503) ?? 0;
    expect(refused).toBeGreaterThanOrEqual(10);
    rmSync(filler);
    const began = performance.now();
    await ledger.postUntilAcked(batch(), 5000);
    const resumedMs = Math.round(performance.now() - began);
    await stack.drained();
    const balance = await closeLedger(stack.sql, stack.project.projectId, ledger);
    expect(balance).toMatchObject(clean);
    expect(
      [...ledger.statuses.keys()].filter((status) => status !== 202 && status !== 503),
    ).toEqual([]);
    const log = readFileSync(join(disk.dir, 'logs', 'postgres.log'), 'utf8');
    expect(log).toContain('No space left on device');
    const checked = await checkIndexes(stack.database.url);
    reportFigure('R-37', {
      refused,
      acked: balance.acked,
      lost: balance.lost.length,
      'taken again after ms': resumedMs,
      panics: log.split('PANIC:').length - 1,
      'indexes checked': checked,
    });
    await Promise.all([edge.kill(), worker.kill()]);
  } finally {
    await stack.close();
    await cluster.stop();
    disk.unmount();
  }
});

/** `amcheck` of every btree index and table; throws at the first that is damaged. */
async function checkIndexes(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`create extension amcheck`;
    const checked = await sql`
      select c.relname, bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam where c.relkind = 'i' and a.amname = 'btree'`;
    const damaged = await sql`
      select c.relname, v.msg from pg_class c join pg_namespace n on n.oid = c.relnamespace, lateral verify_heapam(c.oid) v
      where c.relkind = 'r' and n.nspname in ('public', 'drizzle')`;
    expect(damaged.map((row) => ({ ...row }))).toEqual([]);
    return checked.length;
  } finally {
    await sql.end();
  }
}
