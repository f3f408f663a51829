import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../testing/until';
import { buildBigIndexes } from './big-indexes';
import { test } from '../testing/fixture';
import type { Runtime } from '../server/runtime';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

const indexes = async () =>
  (
    await runtime.ctx.sql<{ name: string; valid: boolean }[]>`
      select c.relname as name, i.indisvalid as valid from pg_class c join pg_index i on i.indexrelid = c.oid
      where c.relname like 'big_%' order by 1`
  ).map(({ name, valid }) => ({ name, valid }));

test('R-41 indexes on existing tables are built without blocking writers; those of new tables are left to the migration', async () => {
  const { sql } = runtime.ctx;
  const file = join(await mkdtemp(join(tmpdir(), 'assay-migration-')), '0001.sql');
  writeFileSync(
    file,
    `ALTER TABLE "labels" ADD COLUMN "newer" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "big_labels" ON "labels" USING btree ("project_id","created_at") WHERE rater is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "big_newer" ON "labels" USING btree ("newer");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "big_none" ON "not_there" USING btree ("id");--> statement-breakpoint
CREATE INDEX "big_plain" ON "labels" USING btree ("id");`,
  );
  // A writer is active: a plain index would wait for it, and every later writer for the index.
  let release: () => void = () => undefined;
  const writing = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isWriting: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    isWriting = resolve;
  });
  const writer = sql.begin(async (tx) => {
    await tx`lock table labels in row exclusive mode`;
    isWriting();
    await writing;
  });
  await begun;
  const making = buildBigIndexes(sql, [file]);
  await until('the index waits for the writer', async () => {
    const rows = await sql`
      select 1 from pg_stat_activity where datname = current_database() and query ilike 'create index%big_labels%' and wait_event_type = 'Lock'`;
    return rows.length > 0 ? true : null;
  });
  // A second writer is not blocked while the index is built.
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '10s'`;
    await tx`lock table labels in row exclusive mode`;
  });
  release();
  await Promise.all([writer, making]);
  expect(await indexes()).toEqual([{ name: 'big_labels', valid: true }]);
  await sql`update pg_index set indisvalid = false where indexrelid = 'big_labels'::regclass`;
  await buildBigIndexes(sql, [file]);
  expect(await indexes()).toEqual([{ name: 'big_labels', valid: true }]);
});

test('R-41 a new column of an existing table is added before the index that needs it, which then does not block writers either', async () => {
  const { sql } = runtime.ctx;
  const file = join(await mkdtemp(join(tmpdir(), 'assay-migration-')), '0002.sql');
  writeFileSync(
    file,
    `ALTER TABLE "not_there" ADD COLUMN IF NOT EXISTS "later" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN IF NOT EXISTS "later" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "big_later" ON "labels" USING btree ("later") WHERE later is null;`,
  );
  await buildBigIndexes(sql, [file]);
  expect(await indexes()).toContainEqual({ name: 'big_later', valid: true });
  await buildBigIndexes(sql, [file]);
});
