import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { root } from '../../scripts/data-dir.mjs';
import { countText, findMissing, readBalance } from './checks';
import type { Product } from './product';
import type { Tenant } from './tenants';
import type { Records } from './traffic';

/** A backup that was taken under load. */
export interface Backup {
  readonly file: string;
  readonly mib: number;
  /** Ids of turns that were acknowledged before the backup began, by tenant: it must have them. */
  readonly ackedBeforeStart: ReadonlyMap<Tenant, ReadonlySet<string>>;
  /** Ids of turns that were sent before the backup ended, by tenant: it must have no others. */
  readonly sentBeforeEnd: ReadonlyMap<Tenant, ReadonlySet<string>>;
  remove(): void;
}

async function runAssay(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['scripts/assay.mjs', ...args], {
    cwd: root,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TZ: 'UTC',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`assay ${args.join(' ')} exited with ${String(code)}: ${output}`);
}

const maxAttempts = 10;

const copyIds = (
  records: ReadonlyMap<Tenant, Records>,
  which: 'acked' | 'sent',
): ReadonlyMap<Tenant, ReadonlySet<string>> =>
  new Map([...records].map(([tenant, each]) => [tenant, new Set(each[which])]));

/** Takes a backup, and tries again if a fault interrupts it. */
export async function takeBackup(
  { variables, databaseUrl }: Product,
  records: ReadonlyMap<Tenant, Records>,
): Promise<Backup> {
  const dir = mkdtempSync('/tmp/assay-soak-backup-');
  for (let attempt = 1; ; attempt++) {
    const file = join(dir, `attempt-${attempt}.backup.gz`);
    const ackedBeforeStart = copyIds(records, 'acked');
    try {
      await runAssay(['backup', '--out', file], {
        ...variables,
        DATABASE_URL: databaseUrl,
        ASSAY_DATA_DIR: join(dir, 'data'),
      });
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      continue;
    }
    return {
      file,
      mib: statSync(file).size / 2 ** 20,
      ackedBeforeStart,
      sentBeforeEnd: copyIds(records, 'sent'),
      remove: () => rmSync(dir, { recursive: true, force: true }),
    };
  }
}

/** Restores a backup into another database of the same server. Returns the problems found there. */
export async function checkBackup(product: Product, backup: Backup): Promise<string[]> {
  const { sql, databaseUrl, variables } = product;
  await sql`create database restored`;
  const url = new URL(databaseUrl);
  url.pathname = '/restored';
  await runAssay(['restore', backup.file], {
    ...variables,
    DATABASE_URL: url.href,
    ASSAY_DATA_DIR: mkdtempSync('/tmp/assay-soak-restore-'),
  });
  const restored = postgres(url.href, { max: 1, onnotice: () => undefined });
  const problems: string[] = [];
  try {
    for (const [{ slug, project }, acked] of backup.ackedBeforeStart) {
      const { projectId } = project;
      const segments = await restored<{ trace_id: string }[]>`
        select distinct trace_id from trace_segments where project_id = ${projectId}`;
      const traces = new Set(segments.map((row) => row.trace_id));
      // The turn of a trace has the id of the trace first. Its trace may wait for its assembly.
      const missing = (await findMissing(restored, projectId, 'turns', acked)).filter(
        (id) => !traces.has(id.split('-')[0] ?? ''),
      );
      if (missing.length > 0)
        problems.push(`${slug}: ${countText(missing.length, 'acknowledged turn')} missing`);
      const sent = [...backup.sentBeforeEnd].find(([tenant]) => tenant.slug === slug)?.[1];
      const stored = await restored<{ id: string }[]>`
        select id from turns where project_id = ${projectId} and origin in ('api', 'otlp')`;
      const sentLater = stored.filter(({ id }) => sent?.has(id) !== true);
      if (sentLater.length > 0)
        problems.push(`${slug}: ${countText(sentLater.length, 'turn')} sent after the backup`);
      const balance = await readBalance(restored, projectId);
      problems.push(...balance.problems.map((problem) => `${slug}: ${problem}`));
    }
  } finally {
    await restored.end();
    await sql`drop database restored with (force)`;
  }
  return problems;
}
