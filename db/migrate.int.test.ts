import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, inject, test } from 'vitest';
import { root } from '../scripts/data-dir.mjs';
import { reportFigure } from '../testing/figures';
import { endAll, startProcess } from '../testing/processes';

const long = process.env.ASSAY_LONG === '1';

afterAll(() => endAll());

test('R-42 five processes migrate an empty database at once: all succeed, one applies, with one row per migration', async () => {
  const rounds = long ? 10 : 1;
  const journal = JSON.parse(
    readFileSync(join(root, 'db', 'migrations', 'meta', '_journal.json'), 'utf8'),
  ) as { entries: unknown[] };
  const admin = postgres(inject('databaseUrl'), { max: 1, onnotice: () => undefined });
  try {
    for (let round = 0; round < rounds; round++) {
      const name = `t_${randomBytes(6).toString('hex')}`;
      await admin.unsafe(`create database ${name}`);
      const url = new URL(inject('databaseUrl'));
      url.pathname = `/${name}`;
      const starters = await Promise.all(
        Array.from({ length: 5 }, () => startProcess('migrate', { DATABASE_URL: url.href })),
      );
      const codes = await Promise.all(starters.map((starter) => starter.exited));
      expect(codes, starters.map((starter) => starter.output()).join('')).toEqual([0, 0, 0, 0, 0]);
      const said = starters.map((starter) => starter.output().trim()).sort();
      expect(said).toEqual(
        [
          `applied ${journal.entries.length} migration(s)`,
          ...Array.from({ length: 4 }, () => 'schema is up to date'),
        ].sort(),
      );
      const sql = postgres(url.href, { max: 1 });
      const [row] =
        await sql`select count(*)::int as n, count(distinct hash)::int as hashes from drizzle.__drizzle_migrations`;
      await sql.end();
      expect(row).toEqual({ n: journal.entries.length, hashes: journal.entries.length });
      await admin.unsafe(`drop database ${name} with (force)`);
    }
  } finally {
    await admin.end();
  }
  reportFigure('R-42', { rounds, starters: 5, applied: 'once each round' });
});
