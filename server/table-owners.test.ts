// Each table has one owner: only its module writes SQL against it; others call a function of the
// owner, or splice a fragment that it exports (docs/develop/tables.md, "Ownership"). This test
// reads the text of SQL and the calls of drizzle. It cannot see: a table whose name is a value
// (`delete from ${sql(table)}`), which only server/lifecycle writes, driven by the lists of
// tables.ts and of the schema, and writes of the sign-in library through its adapter.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { schema } from '../db';

const tablesOf: Readonly<Record<string, readonly string[]>> = {
  access: [
    'api_keys',
    'audit_chains',
    'audit_events',
    'auth_accounts',
    'auth_sessions',
    'auth_passkeys',
    'auth_two_factors',
    'auth_verifications',
    'claims',
    'members',
    'projects',
    'saved_views',
    'service_accounts',
    'sign_in_tries',
    'users',
  ],
  alerts: ['alert_events', 'alert_looks', 'alert_rules', 'alert_states', 'finding_days'],
  catalog: ['verifier_versions', 'verifiers'],
  deliveries: ['deliveries', 'destinations', 'notices', 'slack_links'],
  experiments: [
    'anchor_items',
    'anchor_results',
    'anchor_runs',
    'anchor_sets',
    'dataset_items',
    'dataset_versions',
    'datasets',
    'experiment_rows',
    'experiments',
    'probe_answers',
    'probe_runs',
    'promotions',
    'prompt_trial_subjects',
  ],
  gateway: [
    'gateway_breakers',
    'gateway_calls',
    'gateway_counters',
    'gateway_days',
    'gateway_rollups',
    'gateway_routes',
  ],
  ingest: [
    'dead_letters',
    'foreign_scores',
    'idempotency_keys',
    'intake_rollups',
    'model_aliases',
    'model_names',
    'model_prices',
    'pipelines',
    'sessions',
    'trace_segments',
    'traces',
    'turn_originals',
    'turn_versions',
    'turns',
  ],
  labels: ['label_policies', 'labels', 'review_cursors', 'review_items', 'review_settings'],
  lifecycle: ['deletions', 'export_parts', 'retention_settings', 'tombstones'],
  llm: ['llm_calls', 'providers'],
  masking: ['masked_values'],
  measures: ['judgement_accounts', 'judgement_rollups', 'judgements'],
  prompts: ['prompt_labels', 'prompt_versions'],
  queue: [
    'decision_rollups',
    'decisions',
    'job_files',
    'jobs',
    'judgement_dues',
    'schedule_periods',
    'work',
    'work_attempts',
    'worker_boxes',
  ],
  reports: ['report_schedules', 'reports'],
  rules: ['rule_costs', 'rule_planning', 'rule_spending', 'rules'],
  thresholds: ['thresholds'],
  trust: ['trust_changes', 'trust_settings', 'trust_states'],
  verdicts: [
    'integrity_rollups',
    'judge_cache',
    'mission_events',
    'mission_settings',
    'project_settings',
    'scores',
    'setup_hidden',
    'subjects',
    'verdict_hours',
    'verdict_populations',
    'verdict_rollups',
    'verdict_spreads',
    'verdicts',
  ],
};

/**
 * Writes of a module to a table of a higher module, which it cannot import, in one statement with
 * its own rows. Each entry is one file and one table; an entry that is no longer needed fails.
 */
const leftFor: readonly (readonly [file: string, table: string])[] = [
  // Verdicts and their deliveries are stored together or not at all.
  ['server/verdicts/settle.ts', 'deliveries'],
  // The review queue reads simulated verdicts that settle behind its cursor.
  ['server/verdicts/rewind-review-queue.ts', 'review_cursors'],
  // A trace found late to belong to deleted data.
  ['server/ingest/assembly/drop-deleted.ts', 'deletions'],
  ['server/ingest/assembly/drop-deleted.ts', 'tombstones'],
  // A new project starts with one rule.
  ['server/access/projects.ts', 'rules'],
];

const tables = new Map(
  Object.entries(schema).flatMap(([name, each]) =>
    is(each, PgTable) ? [[name, getTableConfig(each).name] as const] : [],
  ),
);
const named = new Set(tables.values());
const ownerOf = new Map(
  Object.entries(tablesOf).flatMap(([room, of]) => of.map((table) => [table, room] as const)),
);

interface Write {
  readonly file: string;
  readonly table: string;
}

const inSql =
  /\b(?:insert into|merge into|update|delete from|truncate|copy)\s+(?:only\s+)?"?([a-z_]+)/gi;
const inDrizzle = /\.(?:insert|update|delete)\(\s*(schema\.\w+|\w+),?\s*\)/g;
const renamed = /const (\w+) = (schema\.\w+);/g;
const taken = /const \{([^}]+)\} = schema;/g;

/** The names a file uses for tables of the schema: `schema.turns`, and local aliases. */
function namesIn(text: string): Map<string, string> {
  const names = new Map([...tables].map(([name, table]) => [`schema.${name}`, table]));
  const add = (name: string, of: string): void => {
    const table = names.get(of);
    if (table !== undefined) names.set(name, table);
  };
  for (const [, name = '', of = ''] of text.matchAll(renamed)) add(name, of);
  for (const [, list = ''] of text.matchAll(taken))
    for (const name of list.split(',')) add(name.trim(), `schema.${name.trim()}`);
  return names;
}

/** Tables that a file writes, each once. */
function writesOf(file: string, text: string): Write[] {
  const names = namesIn(text);
  const found = [
    ...[...text.matchAll(inSql)].flatMap(([, name = '']) => (named.has(name) ? [name] : [])),
    ...[...text.matchAll(inDrizzle)].flatMap(([, name = '']) => names.get(name) ?? []),
  ];
  return [...new Set(found)].map((table) => ({ file, table }));
}

const isForeign = ({ file, table }: Write): boolean =>
  !file.startsWith(`server/${ownerOf.get(table)}/`);

const root = join(import.meta.dirname, '..');

function sources(): string[] {
  return ['server', 'workers', 'app'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && /(?<!\.test)\.tsx?$/.test(each.name))
      .map((each) => relative(root, join(each.parentPath, each.name))),
  );
}

test('every table of the schema has one owner, and owners own tables that exist', () => {
  expect(Object.values(tablesOf).flat().sort()).toEqual([...named].sort());
});

test('only the owner of a table writes SQL against it', () => {
  const foreign = sources()
    .flatMap((file) => writesOf(file, readFileSync(join(root, file), 'utf8')))
    .filter(isForeign)
    .map(({ file, table }) => `${file} writes ${table} of ${ownerOf.get(table)}`);
  const left = leftFor.map(([file, table]) => `${file} writes ${table} of ${ownerOf.get(table)}`);
  expect(foreign.sort()).toEqual([...left].sort());
});

test.each([
  ['server/verdicts/a.ts', 'sql`with a as (insert into work (id) select 1) select 1`', 'work'],
  ['server/labels/a.ts', 'sql`update only verdicts v set score = 1`', 'verdicts'],
  ['workers/a.ts', 'sql`delete from "turns" where true`', 'turns'],
  ['server/llm/a.ts', 'await tx\n  .insert(schema.auditEvents)\n  .values({})', 'audit_events'],
  ['server/gateway/a.ts', 'db.delete(schema.destinations).where(all)', 'destinations'],
  ['server/trust/a.ts', 'const rows = schema.promotions;\ntx.update(rows).set({})', 'promotions'],
  ['server/api/a.ts', 'const { members, users } = schema;\ntx.insert(users)', 'users'],
])('a planted foreign write in %s is found', (file, text, table) => {
  expect(writesOf(file, text).filter(isForeign)).toEqual([{ file, table }]);
});

test.each([
  ['server/queue/a.ts', 'sql`delete from work where id = 1`'],
  ['server/lifecycle/a.ts', 'sql`delete from ${sql(table)} where project_id = 1`'],
  ['server/verdicts/a.ts', 'sql`select from work for update; on conflict do update set a = 1`'],
  ['server/verdicts/a.ts', 'rows.delete(work)'],
])('the allowed writes of %s are not foreign writes', (file, text) => {
  expect(writesOf(file, text).filter(isForeign)).toEqual([]);
});
