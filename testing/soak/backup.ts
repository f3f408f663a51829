import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { root } from '../../scripts/data-dir.mjs';
import { findMissing, readBalance } from './checks';
import type { Product } from './product';
import type { Tenant } from './tenants';
import type { Records } from './traffic';

/** A backup taken while the product worked. */
export interface Backup {
  readonly file: string;
  readonly mib: number;
  /** Turns that were acknowledged before it began, by tenant. */
  readonly before: ReadonlyMap<Tenant, ReadonlySet<string>>;
  /** Turns that were sent before it ended: no others may be in it. */
  readonly sentBefore: ReadonlyMap<Tenant, ReadonlySet<string>>;
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
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`assay ${args.join(' ')} ended with ${String(code)}: ${printed}`);
}

const copyOf = (
  records: ReadonlyMap<Tenant, Records>,
  which: 'acked' | 'sent',
): ReadonlyMap<Tenant, ReadonlySet<string>> =>
  new Map([...records].map(([tenant, each]) => [tenant, new Set(each[which])]));

/** Repeats the backup until no fault interrupts it. */
export async function takeBackup(
  { variables, databaseUrl }: Product,
  records: ReadonlyMap<Tenant, Records>,
): Promise<Backup> {
  const dir = mkdtempSync('/tmp/assay-soak-backup-');
  for (let tries = 1; ; tries++) {
    const file = join(dir, `try-${tries}.backup.gz`);
    const before = copyOf(records, 'acked');
    try {
      await runAssay(['backup', '--out', file], {
        ...variables,
        DATABASE_URL: databaseUrl,
        ASSAY_DATA_DIR: join(dir, 'data'),
      });
    } catch (error) {
      if (tries === 10) throw error;
      continue;
    }
    return {
      file,
      mib: statSync(file).size / 2 ** 20,
      before,
      sentBefore: copyOf(records, 'sent'),
      remove: () => rmSync(dir, { recursive: true, force: true }),
    };
  }
}

/** Restores into another database of the same server; returns every contradiction found there. */
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
  const found: string[] = [];
  try {
    for (const [{ slug, project }, acked] of backup.before) {
      const { projectId } = project;
      const missing = await findMissing(restored, projectId, 'turns', acked);
      if (missing.length > 0) found.push(`${slug}: ${missing.length} acknowledged turns missing`);
      const sent = [...backup.sentBefore].find(([tenant]) => tenant.slug === slug)?.[1];
      const stored = await restored<{ id: string }[]>`
        select id from turns where project_id = ${projectId} and origin in ('api', 'otlp')`;
      const later = stored.filter(({ id }) => sent?.has(id) !== true);
      if (later.length > 0) found.push(`${slug}: ${later.length} turns were sent after the backup`);
      const { contradictions } = await readBalance(restored, projectId);
      found.push(...contradictions.map((each) => `${slug}: ${each}`));
    }
  } finally {
    await restored.end();
    await sql`drop database restored with (force)`;
  }
  return found;
}
