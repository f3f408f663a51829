import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase, createTestRuntime, type TestDatabase } from '../db/testing';
import type { Runtime } from '../server/runtime';
import { compareJudges, findFiles } from './realmistake/compare';
import { openDoor } from './realmistake/door';

let database: TestDatabase;
let runtime: Runtime;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(database.url);
});

afterAll(async () => {
  await runtime.close();
  await database.drop();
});

test('X-1, SOAR-26: of 12 real judges catch rate, false rejections, agreement and kappa are right to the last digit', {
  timeout: 120_000,
}, async () => {
  const files = findFiles();
  if (files === null) {
    process.stderr.write('skipped: shared data not present (judge-binary-realmistake)\n');
    return;
  }
  const compared = await compareJudges(await openDoor(runtime), files);
  expect(compared).toHaveLength(12 * 5);
  expect(compared.filter(({ ours, expected }) => ours !== expected)).toEqual([]);
});
