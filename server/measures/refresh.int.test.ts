import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect } from 'vitest';
import { createTestProject, drainRefreshQueue } from '../../testing/database';
import { testWith } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { refreshPending, refreshLabelledVerdicts } from './refresh';
import { rulingCases } from '../../testing/ruling-cases';
import { cellCounts } from './cells';
import { labelledVerdictColumns, labelledVerdictsOf } from './labelled-verdicts-of';
import { enqueueMissed } from './enqueue-missed';

/**
 * Compares the table of labelled verdicts and its counts with the relation that defines them, which
 * ignores earlier counts.
 */

const test = testWith({
  ASSAY_DB_POOL: '8',
  ASSAY_QUERY_TIMEOUT_MS: '600000',
});
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const operations = process.env.ASSAY_LONG === '1' ? 100_000 : 2_000;
const seed = Number(process.env.ASSAY_SEED ?? 20_261_123);
/** The same number of changes to each in the short and the long form. */
const subjectCount = Math.max(60, operations / 33);

/** mulberry32 */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Every change to the data of a subject, in its writer's form: one statement that also enqueues the
 * refresh.
 */
function createChanges({ sql, projectId }: ProjectCtx, random: () => number) {
  let n = 0;
  // Kept here, since a random draw in the database would read all of them.
  const verdicts: { readonly id: string; readonly subject: string; readonly slug: string }[] = [];
  const labels: { readonly id: string; readonly subject: string }[] = [];
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const subject = (): string => `s${Math.floor(random() * subjectCount)}`;
  const enqueue = (id: string) => sql`
    insert into judgement_dues (project_id, subject_id, due_at) select ${projectId}, ${id}, now() on conflict do nothing`;
  const settle = async (daysAgo: number): Promise<void> => {
    const id = subject();
    const verdict = { id: `v${++n}`, subject: id, slug: pick(['task', 'other']) };
    const outcome = pick(['passed', 'failed', 'failed', 'passed', 'inconclusive']);
    await sql`
      with stored as (
        insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action, score,
          needs_human_review, decision_state, issues, detail, excerpt, model, judge_model, cross_model, created_at, settled_at)
        values (${projectId}, ${verdict.id}, 'task', ${verdict.slug}, ${pick([1, 2])}, 'turn', ${id}, ${++n}, ${outcome},
          ${outcome === 'inconclusive' ? null : outcome === 'passed' ? 'pass' : 'fail'}, 'none', ${random()}, false, 'run', '[]', '{}', 'x',
          ${pick(['m1', 'm2', null])}, ${pick(['j1', null])}, ${pick(['self', null, null])}, now(), now() - ${daysAgo} * interval '1 day')
        returning project_id, subject_id
      )
      insert into judgement_dues (project_id, subject_id, due_at)
      select s.project_id, s.subject_id, now() from stored s
      where exists (select from labels l where l.project_id = s.project_id and l.subject_id = s.subject_id) on conflict do nothing`;
    verdicts.push(verdict);
  };
  const label = async (
    values: { readonly kind: string } & Record<string, unknown>,
    id: string,
  ): Promise<void> => {
    const row = {
      project_id: projectId,
      id: `l${++n}`,
      subject_id: id,
      content_hash: 'h',
      created_by: pick(['ann', 'ben', 'cid']),
      ...values,
    };
    await sql.begin(async (tx) => {
      await tx`insert into labels ${tx(row)}`;
      await tx`insert into judgement_dues (project_id, subject_id, due_at) values (${projectId}, ${id}, now()) on conflict do nothing`;
    });
    if (row.kind !== 'undo') labels.push({ id: row.id, subject: id });
  };
  const override = async (): Promise<void> => {
    if (verdicts.length === 0) return;
    const verdict = pick(verdicts);
    const word = pick(['pass', 'fail', 'partial']);
    const said = {
      verdict: word,
      success: word === 'partial' ? null : word === 'pass',
      blind: random() < 0.5,
      policy: pick([null, 1, 2]),
      selection: pick(['sample', 'queue', 'own_choice']),
    };
    await label(
      { kind: 'override', verdict_id: verdict.id, verifier_slug: verdict.slug, ...said },
      verdict.subject,
    );
  };
  const undo = async (): Promise<void> => {
    if (labels.length === 0) return;
    const { id, subject: of } = pick(labels);
    await label({ kind: 'undo', undoes: id }, of);
  };
  const draw = async (): Promise<void> => {
    await sql`
      with drawn as (
        insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues, priority, probability, raters,
          blind, verdict_at)
        select project_id, ${`r${++n}`}, id, kind, verifier_slug, verifier_version, subject_id, '{audit}', 0, ${pick([0.05, 0.1, 1 / 3, 0.7])}, 1, false,
          settled_at
        from verdicts where project_id = ${projectId} and id = ${verdicts.length === 0 ? '' : pick(verdicts).id}
        on conflict do nothing returning project_id, subject_id
      )
      insert into judgement_dues (project_id, subject_id, due_at) select project_id, subject_id, now() from drawn on conflict do nothing`;
  };
  const remove = async (): Promise<void> => {
    const [gone] = verdicts.splice(Math.floor(random() * verdicts.length), 1);
    await sql`
      with gone as (
        delete from verdicts where project_id = ${projectId} and id = ${gone?.id ?? ''} returning project_id, subject_id
      )
      insert into judgement_dues (project_id, subject_id, due_at) select project_id, subject_id, now() from gone on conflict do nothing`;
  };
  const measure = async (): Promise<void> => {
    const id = subject();
    await sql.begin((tx) => [
      tx`insert into foreign_scores (project_id, id, subject_id, source, name, label, model, unread)
        values (${projectId}, ${`f${++n}`}, ${id}, 'import', 'judge', ${pick(['pass', 'fail', null])}, ${pick(['a/judge', 'b/judge'])}, ${random() < 0.1})`,
      tx`insert into judgement_dues (project_id, subject_id, due_at) values (${projectId}, ${id}, now()) on conflict do nothing`,
    ]);
  };
  return async (): Promise<void> => {
    const at = random();
    const success = random() < 0.5;
    if (at < 0.25) return settle(0);
    if (at < 0.35) return settle(Math.floor(random() * 40));
    if (at < 0.55) return override();
    if (at < 0.65)
      return label({ kind: 'outcome', success: random() < 0.1 ? null : success }, subject());
    if (at < 0.72)
      return label({ kind: 'import', success, rater: pick(['r1', 'r2', 'r3']) }, subject());
    if (at < 0.82) return undo();
    if (at < 0.9) return draw();
    if (at < 0.94) return measure();
    if (at < 0.97) return remove();
    return void (await enqueue(subject()));
  };
}

/** Compares both sides as text, so that a difference in the last digit counts. */
async function differences(ctx: ProjectCtx): Promise<unknown[]> {
  const { sql, projectId } = ctx;
  const names = labelledVerdictColumns
    .map((name) => sql`${sql(name)}`)
    .reduce((before, name) => sql`${before}, ${name}`);
  const subjects = sql`select distinct subject_id from (
    select subject_id from verdicts where project_id = ${projectId} union all select subject_id from foreign_scores where project_id = ${projectId}) as a`;
  const rows = await sql`
    with raw as materialized (select ${names} from (${labelledVerdictsOf(ctx, subjects)}) as j),
      kept as materialized (select ${names} from judgements where project_id = ${projectId})
    (select 'missing' as what, raw.* from raw except select 'missing', kept.* from kept)
    union all (select 'wrong', kept.* from kept except select 'wrong', raw.* from raw)`;
  const key = sql`day, origin, slug, series, version, model, judge, policy`;
  const kept = await sql<
    Record<string, unknown>[]
  >`select * from judgement_rollups where project_id = ${projectId}`;
  const made = await sql<Record<string, unknown>[]>`
    select ${projectId} as project_id, ${key}, ${cellCounts(ctx)} from judgements where project_id = ${projectId} group by ${key}`;
  const lines = (all: readonly Record<string, unknown>[]): string[] =>
    all.filter(anyNumber).map(lineOf).sort();
  const counts = lines(made);
  const sums = lines(kept);
  const [accounts] = await sql<{ wrong: string }[]>`
    select count(*) as wrong from (
      select slug, account, count(*) as ruled, count(*) filter (where overruled) as overruled from judgements
      where project_id = ${projectId} and overruled is not null and account is not null group by slug, account
    ) as raw full join (select slug, account, ruled, overruled from judgement_accounts where project_id = ${projectId} and ruled <> 0) as a
      on a.slug = raw.slug and a.account = raw.account and a.ruled = raw.ruled and a.overruled = raw.overruled
    where a.slug is null or raw.slug is null`;
  return [
    ...rows,
    ...counts.filter((line) => !sums.includes(line)),
    ...sums.filter((line) => !counts.includes(line)),
    ...(accounts?.wrong === '0' ? [] : [`accounts: ${accounts?.wrong}`]),
  ];
}

const keys = new Set([
  'project_id',
  'day',
  'origin',
  'slug',
  'series',
  'version',
  'model',
  'judge',
  'policy',
]);
const anyNumber = (row: Record<string, unknown>): boolean =>
  Object.entries(row).some(([name, value]) => !keys.has(name) && Number(value) !== 0);
const lineOf = (row: Record<string, unknown>): string =>
  Object.keys(row)
    .sort()
    .map((name) => `${name}=${keys.has(name) ? String(row[name]) : Number(row[name])}`)
    .join(' ');

test('D2 rollups equal raw to the last integer while two workers refresh at once', {
  timeout: 3_600_000,
}, async () => {
  const change = createChanges(project, randomOf(seed));
  let done = 0;
  let running = true;
  const worker = async (): Promise<void> => {
    while (running) await refreshPending(runtime.ctx);
  };
  const writer = async (): Promise<void> => {
    while (done < operations) {
      done++;
      await change();
    }
  };
  const workers = [worker(), worker()];
  // A writer that refreshes its own subjects in parallel, as the writer of a label does.
  const parallel = (async () => {
    for (let n = 0; running; n++)
      await refreshLabelledVerdicts(project, [
        `s${n % subjectCount}`,
        `s${(n * 7) % subjectCount}`,
      ]);
  })();
  await Promise.all([writer(), writer(), writer()]);
  running = false;
  await Promise.all([...workers, parallel]);
  await drainRefreshQueue(runtime);
  const [there] = await project.sql<{ n: number; drawn: number; contested: number }[]>`
      select count(*)::int as n, count(probability)::int as drawn, (count(*) filter (where contested))::int as contested
      from judgements where project_id = ${project.projectId}`;
  expect(there?.n).toBeGreaterThan(100);
  expect(there?.drawn).toBeGreaterThan(10);
  expect(there?.contested).toBeGreaterThan(0);
  expect(await differences(project), `seed ${seed}`).toEqual([]);
  expect(
    await project.sql`select from judgement_dues where project_id = ${project.projectId} and due_at <= now()`,
  ).toHaveLength(0);
});

test('D2 the comparison detects a count that is off by one, and a missing row', async () => {
  const change = createChanges(project, randomOf(7));
  for (let n = 0; n < 200; n++) await change();
  await drainRefreshQueue(runtime);
  expect(await differences(project)).toEqual([]);
  await project.sql`update judgement_rollups set missed = missed + 1 where project_id = ${project.projectId}`;
  expect((await differences(project)).length).toBeGreaterThan(0);
  await project.sql`update judgement_rollups set missed = missed - 1 where project_id = ${project.projectId}`;
  expect(await differences(project)).toEqual([]);
  await project.sql`delete from judgements where (project_id, id) in (select project_id, id from judgements where project_id = ${project.projectId} limit 1)`;
  expect((await differences(project)).length).toBeGreaterThan(0);
});

test('D2 rows stored by a previous release are enqueued once a worker starts', async () => {
  const { sql, projectId } = project;
  const change = createChanges(project, randomOf(11));
  for (let n = 0; n < 200; n++) await change();
  await sql`delete from judgement_dues where project_id = ${projectId}`;
  await enqueueMissed(runtime.ctx);
  await drainRefreshQueue(runtime);
  expect(
    (await sql`select from judgements where project_id = ${projectId} and good is not null`).length,
  ).toBeGreaterThan(10);
  // A verdict that such a release settles on a subject with an old label, in a project that already
  // has labelled verdicts.
  await sql`insert into labels ${sql({ project_id: projectId, id: 'old', kind: 'outcome', subject_id: 'late', success: false, content_hash: 'h', created_by: 'a', created_at: '2026-01-01T00:00:00Z' })}`;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, detail, excerpt, created_at)
    values (${projectId}, 'late', 'task', 'task', 1, 'turn', 'late', 1, 'failed', 'fail', 'none', false, 'run', '[]', '{}', 'x', now())`;
  await enqueueMissed(runtime.ctx);
  await drainRefreshQueue(runtime);
  expect(
    await sql`select good from judgements where project_id = ${projectId} and verdict_id = 'late'`,
  ).toEqual([{ good: false }]);
});

test('D2 the migration enqueues the labels and imported measurements that existed before it', async () => {
  const { sql, projectId } = project;
  await sql`insert into labels ${sql({ project_id: projectId, id: 'old', kind: 'outcome', subject_id: 'labelled', success: false, content_hash: 'h', created_by: 'a' })}`;
  await sql`insert into foreign_scores ${sql({ project_id: projectId, id: 'f', subject_id: 'measured', source: 'import', name: 'judge', label: 'pass', model: 'a/judge' })}`;
  const migration = readFileSync(
    new URL('../../db/migrations/0007_review.sql', import.meta.url),
    'utf8',
  );
  const last = migration.split('--> statement-breakpoint').at(-1) ?? '';
  expect(last).toContain('judgement_dues');
  for (let time = 0; time < 2; time++) await runtime.ctx.sql.unsafe(last);
  const queued = await sql<
    { subject_id: string }[]
  >`select distinct subject_id from judgement_dues where project_id = ${projectId} order by 1`;
  expect(queued.map((row) => row.subject_id)).toEqual(['labelled', 'measured']);
});

test('D2 after the migration imported judgements get the sessions of their turns', async () => {
  const { sql, projectId } = project;
  for (const [id, turn, session] of [
    ['of-turn', 't1', null],
    ['known', 't2', 's'],
    ['of-row', null, null],
  ] as const)
    await sql`insert into judgements ${sql({
      project_id: projectId,
      origin: 'imported',
      id,
      slug: 'j',
      series: 'j',
      version: 0,
      kind: 'imported',
      at: '2026-11-01T00:00:00Z',
      day: '2026-11-01',
      subject_id: id,
      turn_id: turn,
      session_id: session,
      model: '',
      judge: '',
      word: 'pass',
      cost_usd: 0,
      excerpt: '',
      contested: false,
      policy: 0,
      unread: false,
    })}`;
  const migration = readFileSync(
    new URL('../../db/migrations/0014_session_worth.sql', import.meta.url),
    'utf8',
  );
  await runtime.ctx.sql.unsafe(migration.split('--> statement-breakpoint').at(-1) ?? '');
  const queued = await sql<{ subject_id: string }[]>`
    select subject_id from judgement_dues where project_id = ${projectId}`;
  expect(queued.map((row) => row.subject_id)).toEqual(['of-turn']);
});

test.each([
  ['a ruling on it for the sample', { kind: 'override', selection: 'sample' }, 1],
  ['a ruling by someone who picked it', { kind: 'override', selection: 'own_choice' }, 0],
  [
    'a repeat of a ruling for the sample',
    { kind: 'override', selection: 'reused', reuses: 'of-sample' },
    1,
  ],
  [
    'a repeat of a ruling of another kind',
    { kind: 'override', selection: 'reused', reuses: 'of-choice' },
    0,
  ],
  ['an outcome', { kind: 'outcome', selection: 'reported' }, 0],
] as const)(
  'calibration.md 5.4 a drawn verdict with %s: labelled in the sample %#',
  async (_, label, labelled) => {
    const { sql, projectId } = project;
    const word = label.kind === 'override' ? { verdict: 'fail', verdict_id: 'v' } : {};
    const said = { project_id: projectId, success: false, content_hash: 'h', created_by: 'a' };
    await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, detail, excerpt, created_at)
    values (${projectId}, 'v', 'task', 'task', 1, 'turn', 's', 1, 'failed', 'fail', 'none', false, 'run', '[]', '{}', 'x', now())`;
    await sql`
    insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues, priority, probability, raters, blind, verdict_at)
    values (${projectId}, 'r', 'v', 'task', 'task', 1, 's', '{audit}', 0, 0.25, 1, false, now())`;
    for (const selection of ['sample', 'own_choice']) {
      const id = selection === 'sample' ? 'of-sample' : 'of-choice';
      await sql`insert into labels ${sql({ ...said, id, kind: 'override', subject_id: id, verdict_id: id, verdict: 'fail', selection })}`;
    }
    await sql`insert into labels ${sql({ ...said, ...label, ...word, id: 'l', subject_id: 's' })}`;
    await refreshLabelledVerdicts(project, ['s']);
    expect(await differences(project)).toEqual([]);
    const [counted] = await sql<Record<string, string>[]>`
    select sum(caught)::int as caught, sum(sample_caught)::int as sampled, sum(sample_drawn)::int as drawn, sum(weight_drawn) as weight
    from judgement_rollups where project_id = ${projectId}`;
    expect(counted).toEqual({ caught: 1, sampled: labelled, drawn: 1, weight: 4 });
  },
);

test('docs/reference/import-mapping.md: a consensus label takes precedence over labels of single raters, in any order', async () => {
  const { sql, projectId } = project;
  await sql`insert into foreign_scores ${sql({ project_id: projectId, id: 'f', subject_id: 's', source: 'import', name: 'judge', label: 'pass', model: 'a/judge' })}`;
  const said = {
    project_id: projectId,
    kind: 'import',
    subject_id: 's',
    content_hash: 'h',
    created_by: 'import',
  };
  const good = async (): Promise<unknown> => {
    await refreshLabelledVerdicts(project, ['s']);
    const [row] = await sql`select good, contested from judgements where project_id = ${projectId}`;
    return row;
  };
  await sql`insert into labels ${sql({ ...said, id: 'all', success: false, created_at: '2026-01-01T00:00:00Z' })}`;
  await sql`insert into labels ${sql({ ...said, id: 'a', rater: 'ann', success: true, created_at: '2026-01-02T00:00:00Z' })}`;
  expect(await good()).toEqual({ good: false, contested: false });
  await sql`insert into labels ${sql({ ...said, id: 'b', rater: 'ben', success: true, created_at: '2026-01-03T00:00:00Z' })}`;
  expect(await good()).toEqual({ good: false, contested: false });
  await sql`insert into labels ${sql({ ...said, id: 'u', kind: 'undo', undoes: 'all' })}`;
  expect(await good()).toEqual({ good: true, contested: false });
});

test('R-13 a subject that cannot be recomputed blocks no other', async () => {
  const { sql, projectId } = project;
  const change = createChanges(project, randomOf(13));
  for (let n = 0; n < 300; n++) await change();
  const [bad] = await sql<{ subject_id: string }[]>`
    select v.subject_id from verdicts v join labels l on l.project_id = v.project_id and l.subject_id = v.subject_id and l.kind = 'outcome'
    where v.project_id = ${projectId} and l.success is not null limit 1`;
  const subject = bad?.subject_id ?? '';
  await runtime.ctx.sql.unsafe(
    `alter table judgements add constraint refuse_one check (project_id <> '${projectId}' or subject_id <> '${subject}')`,
  );
  try {
    await drainRefreshQueue(runtime);
    const waiting = await sql<
      { subject_id: string }[]
    >`select distinct subject_id from judgement_dues where project_id = ${projectId}`;
    expect(waiting).toEqual([{ subject_id: subject }]);
    expect(
      (await sql`select from judgements where project_id = ${projectId}`).length,
    ).toBeGreaterThan(10);
  } finally {
    await runtime.ctx.sql.unsafe('alter table judgements drop constraint refuse_one');
  }
  await sql`update judgement_dues set due_at = now() where project_id = ${projectId}`;
  await drainRefreshQueue(runtime);
  expect(await differences(project)).toEqual([]);
});

describe('VS-45 rule of truth, as applied by measures', () => {
  test.each(rulingCases)('$name', async ({ rulings, counts, contested }) => {
    const { sql, projectId } = project;
    await sql`
      insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
        needs_human_review, decision_state, issues, detail, excerpt, created_at)
      values (${projectId}, 'v', 'task', 'task', 1, 'turn', 's', 1, 'failed', 'fail', 'none', false, 'run', '[]', '{}', 'x', now())`;
    for (const [
      place,
      { account, rater = account, verdict, blind = false, undone = false },
    ] of rulings.entries()) {
      const success = verdict === 'pass' ? true : verdict === 'fail' ? false : null;
      const row = {
        project_id: projectId,
        subject_id: 's',
        verdict_id: 'v',
        content_hash: 'h',
        created_by: account,
        rater,
      };
      const kind = verdict === null ? 'abstention' : 'override';
      const at = new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString();
      await sql`insert into labels ${sql({ ...row, id: `l${place}`, kind, verdict, success, blind, created_at: at, policy: place })}`;
      if (undone)
        await sql`insert into labels ${sql({ ...row, id: `u${place}`, kind: 'undo', undoes: `l${place}` })}`;
    }
    await refreshLabelledVerdicts(project, ['s']);
    const [row] = await sql<
      {
        good: boolean | null;
        overruled: boolean | null;
        contested: boolean;
        policy: number;
        account: string | null;
      }[]
    >`
      select good, overruled, contested, policy, account from judgements where project_id = ${projectId}`;
    expect(row?.contested ?? false).toBe(contested);
    const good = counts === null || counts.verdict === 'partial' ? null : counts.verdict === 'pass';
    expect(row?.good ?? null).toBe(good);
    expect(row?.overruled ?? null).toBe(counts === null ? null : counts.verdict !== 'fail');
    expect(row?.account ?? null).toBe(counts === null ? null : rulings[counts.place]?.account);
    expect(row?.policy ?? 0).toBe(good === null ? 0 : counts?.place);
  });
});
