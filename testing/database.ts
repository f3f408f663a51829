import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import {
  type Actor,
  createProject,
  inviteMember,
  openProjectAsSystem,
  type ProjectCtx,
  type Role,
  useClaim,
} from '../server/access';
import {
  anchorKind,
  createAnchorStep,
  createProbeStep,
  createDraftStep,
  createExperimentStep,
  createTrialStep,
  draftKind,
  experimentKind,
  probeKind,
  trialKind,
} from '../server/experiments';
import { createReportStep, reportKind } from '../server/reports';
import { storeImportedLabels, takeOutcomes } from '../server/labels';
import { refreshPending } from '../server/measures';
import { putProvider } from '../server/llm';
import { AssayError } from '../server/platform';
import {
  saveJobProgress,
  claimJob,
  claimLostWork,
  claimWork,
  failJob,
  finishJob,
} from '../server/queue';
import { backfillKind, createBackfillStep } from '../server/rules';
import { createRuntime, type Runtime } from '../server/runtime';
import { createImportStep, createRecountStep, importKind, recountKind } from '../server/ingest';
import { followCosts, verifySubjectNow, workThrough } from '../server/verdicts';
import { WorkFacts } from '../server/verdicts/input';
import { kinds } from '../server/verifiers';
import { findSecretsIn, secretsIn } from './canary';
import { migrateDatabase } from '../db/migrate';
import { siblingUrl, template } from './test-template';

export { canary, findSecret, findSecretsIn, passwordIn, secretsIn } from './canary';

/**
 * Factories for integration tests: a separate database, a runtime on it as a process creates it,
 * and a project in it.
 */

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A migrated database on the server of `serverUrl`. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  const [made] = await admin`select 1 from pg_database where datname = ${template}`;
  await admin.unsafe(
    `create database ${name}${made === undefined ? '' : ` template ${template} strategy file_copy`}`,
  );
  const url = new URL(siblingUrl(serverUrl, name));
  if (made === undefined) await migrateDatabase(url.href);
  return {
    url: url.href,
    async drop() {
      try {
        await refuseSecrets(url.href);
      } finally {
        await admin.unsafe(`drop database if exists ${name} with (force)`);
        await admin.end();
      }
    },
  };
}

/**
 * S-98: no secret used by a test is in its database.
 * @throws Error naming the tables
 */
async function refuseSecrets(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false });
  try {
    const found = await findSecretsIn(sql, secretsIn({ DATABASE_URL: url }));
    if (found.length > 0) throw new Error(`S-98: a secret lies in ${found.join(', ')}`);
  } finally {
    await sql.end();
  }
}

/** A runtime as a process creates it, without logs and with the test's own variables. */
export function createTestRuntime(
  databaseUrl: string,
  variables: Readonly<Record<string, string>> = {},
): Runtime {
  return createRuntime('admin', null, {
    DATABASE_URL: databaseUrl,
    ASSAY_SECRET: 'test-secret-test-secret-test-secret',
    ASSAY_LOG_LEVEL: 'silent',
    ASSAY_DB_POOL: '4',
    ...variables,
  });
}

const system: Actor = { kind: 'system', id: 'test', label: 'test' };

/** A project with a unique slug. */
export async function createTestProject(
  runtime: Runtime,
  slug = `p-${randomBytes(5).toString('hex')}`,
): Promise<ProjectCtx> {
  await createProject(runtime.ctx, system, { slug, name: slug });
  return openProjectAsSystem(runtime.ctx, slug, 'test');
}

export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The cookie of a session, as a browser sends it. */
  readonly cookie: string;
}

/** A user who joined the project through an invitation and is signed in. */
export async function createTestMember(
  runtime: Runtime,
  project: ProjectCtx,
  role: Role,
  email = `${randomBytes(5).toString('hex')}@example.org`,
): Promise<TestPerson> {
  const password = `password-${randomBytes(9).toString('hex')}`;
  const { url } = await inviteMember(project, { email, role });
  await useClaim(runtime.ctx, {
    token: new URL(url).searchParams.get('token') ?? '',
    email,
    name: role,
    password,
  });
  const [user] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from users where email = ${email}`;
  return {
    id: user?.id ?? '',
    email,
    password,
    cookie: cookieOf(await signIn(runtime, email, password)),
  };
}

/** The console's sign-in request. */
export function signIn(
  runtime: Runtime,
  email: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { webUrl } = runtime.ctx.env;
  return runtime.sessions.handle(
    new Request(`${webUrl}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: webUrl, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password }),
    }),
  );
}

/** The cookies that a browser keeps from a response. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}

/**
 * A task with ground truth, and a model that could judge it: the minimum for starting a trial of
 * `task-rubric`. No model is called.
 */
export async function createTestLabelledTask(runtime: Runtime, project: ProjectCtx): Promise<void> {
  const kind = kinds.get('task');
  if (kind === undefined) throw new Error('there is no kind "task"');
  const subject = kind.subject.parse({
    success_criteria: ['Is clear'],
    scoring_mode: 'rubric',
    task_output: 'The disk is full.',
  });
  const call = {
    id: 'labelled',
    sessionId: null,
    traceId: null,
    missionId: null,
    taskId: null,
    verifier: null,
  };
  const { id } = await verifySubjectNow(project, runtime.subjects, {
    verifier: { slug: kind.name, kind },
    content: { subject, facts: WorkFacts.parse({}) },
    call: { ...call, mode: 'async' },
    idempotencyKey: null,
    owner: 'test',
    signal: new AbortController().signal,
  });
  const outcomes = [{ verification_id: id, success: true }];
  await takeOutcomes(project, {
    body: Buffer.from(JSON.stringify({ outcomes })),
    idempotencyKey: null,
  });
  await putProvider(project, 'judge', {
    kind: 'openai',
    api_key: 'sk-judge',
    models: ['gpt-4o-mini'],
    enabled: true,
  });
}

/** Refreshes labelled verdicts until the queue is empty, like a worker but without its delays. */
export async function drainRefreshQueue({ ctx }: Pick<Runtime, 'ctx'>): Promise<void> {
  while ((await refreshPending(ctx)) > 0);
}

/** An open item in the review queue, on a separate copy of a verdict. */
export async function insertTestItem(
  { ctx }: Runtime,
  project: ProjectCtx,
  verdictId: string,
  id: string,
): Promise<string> {
  await ctx.sql`
    with copied as (
      insert into verdicts
      select (jsonb_populate_record(v, jsonb_build_object('id', ${`ver_${id}`}::text, 'verifier_version', (
        select max(verifier_version) + 1 from verdicts o where o.project_id = v.project_id and o.subject_id = v.subject_id)))).*
      from verdicts v where v.project_id = ${project.projectId} and v.id = ${verdictId}
      returning *
    )
    insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues, priority, raters, blind, verdict_at)
    select project_id, ${id}, id, kind, verifier_slug, verifier_version, subject_id, '{must_see}', 1, 1, false, settled_at from copied`;
  return id;
}

/**
 * Ten labelled turns judged by `integrity`, frozen as a set. Inserted as rows: no model is called.
 */
export async function insertTestAnchors(
  { ctx }: Runtime,
  project: ProjectCtx,
  setId: string,
): Promise<string> {
  const { projectId } = project;
  await ctx.sql`
    with item as (
      select n, 'anchored-' || n as id, 'ver_anchored_' || n as verdict, n > 5 as good from generate_series(1, 10) as n
    ), stored_turns as (
      insert into turns (project_id, id, content_hash, payload, flags)
      select ${projectId}, id, 'h' || n, json_build_object('id', id, 'output', 'It is ' || n || '.')::text, '{}' from item on conflict do nothing
    ), stored_verdicts as (
      insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, turn_id, outcome, verdict,
        action, needs_human_review, decision_state, issues, detail, excerpt, created_at)
      select ${projectId}, verdict, 'integrity', 'integrity', 1, 'turn', id, 1, id, 'failed', 'unsourced', 'retry', false, 'run', '[]', '{}', '', now()
      from item on conflict do nothing
    ), stored_judgements as (
      insert into judgements (project_id, origin, id, slug, series, version, kind, at, day, subject_id, verdict_id, turn_id, model, judge, machine,
        word, cost_usd, excerpt, good, truth_of, contested, policy, unread)
      select ${projectId}, 'verifier', verdict, 'integrity', 'integrity', 1, 'integrity', now(), now()::date, id, verdict, id, '', '', 'failed',
        'unsourced', 0, '', good, 'outcome', false, 0, false from item on conflict do nothing
    ), stored_set as (
      insert into anchor_sets (project_id, id, verifier_slug, name, fingerprint, items, created_by)
      values (${projectId}, ${setId}, 'integrity', ${setId}, 'f', 10, 'test')
    )
    insert into anchor_items (project_id, set_id, ordinal, subject_kind, subject_id, revision, content_hash, excerpt, good, policy)
    select ${projectId}, ${setId}, n - 1, 'turn', id, 1, 'h' || n, '', good, 0 from item`;
  return setId;
}

/** A report on a week without data, and a schedule with the same id. */
export async function insertTestReport(
  { ctx }: Runtime,
  project: ProjectCtx,
  id: string,
): Promise<string> {
  const { projectId } = project;
  const [from, to] = ['2026-01-05T00:00:00.000Z', '2026-01-12T00:00:00.000Z'];
  const costs = {
    verdicts: 0,
    verifying_usd: 0,
    unpriced: 0,
    judge_calls: 0,
    tokens: 0,
    costed: 0,
    work_usd: 0,
    verifying_costed_usd: 0,
  };
  const nothing = {
    verifiers: [],
    outcomes: [],
    models: [],
    models_left_out: 0,
    changes: [],
    changes_left_out: 0,
    earlier: [],
    differences: [],
  };
  const content = {
    version: 1,
    from,
    to,
    before_from: '2025-12-29T00:00:00.000Z',
    made_at: to,
    is_over: true,
    ...nothing,
    costs: { ...costs, share: null, over_budget: 0, budget_share: 0.3 },
    label_debt: { open_items: 0, oldest_at: null, by_verifier: [], missing: [] },
    decisions: { run: 0, not_run: 0, reasons: [] },
    alerts: { now: [], events: [], events_left_out: 0 },
  };
  await ctx.sql`
    insert into reports (project_id, id, title, "from", "to", content, created_by, made_at)
    values (${projectId}, ${id}, 'Report', ${from}::timestamptz, ${to}::timestamptz, ${JSON.stringify(content)}::text::jsonb, 'test', now())`;
  await ctx.sql`
    insert into report_schedules (project_id, id, name, cron, days, created_by) values (${projectId}, ${id}, ${id}, '0 6 * * 1', 7, 'test')`;
  return id;
}

/**
 * Claims and verifies until no work is ready, like a worker but without its delays. Returns the
 * number of stored verdicts.
 */
export async function drainWork(runtime: Runtime, owner = 'drain'): Promise<number> {
  let stored = 0;
  for (;;) {
    const clean = await claimWork(runtime.ctx, { owner, limit: 200 });
    const claimed = [...clean, ...(await claimLostWork(runtime.ctx, owner))];
    if (claimed.length === 0) {
      await drainRefreshQueue(runtime);
      return stored;
    }
    stored += (
      await workThrough(runtime.ctx, {
        owner,
        claimed,
        rules: runtime.rules,
        subjects: runtime.subjects,
        signal: new AbortController().signal,
      })
    ).size;
  }
}

/**
 * Runs jobs to completion, like a worker but without its delays. A refusal ends its job; any other
 * error fails the test.
 */
export async function drainJobs(
  runtime: Pick<Runtime, 'ctx' | 'writer' | 'rules' | 'subjects' | 'masks'>,
  owner = 'drain',
): Promise<void> {
  const { ctx, writer, rules, subjects, masks } = runtime;
  const steps = new Map([
    [backfillKind, createBackfillStep(ctx)],
    [recountKind, createRecountStep(ctx, { follow: followCosts })],
    [
      importKind,
      createImportStep(ctx, {
        writer,
        planTurns: rules.planTurns,
        storeLabels: storeImportedLabels,
      }),
    ],
    [trialKind, createTrialStep(ctx, subjects)],
    [draftKind, createDraftStep(ctx, subjects)],
    [anchorKind, createAnchorStep(ctx, subjects)],
    [probeKind, createProbeStep(ctx, subjects)],
    [experimentKind, createExperimentStep(ctx, { subjects, writer, masks })],
    [reportKind, createReportStep(ctx)],
  ]);
  const next = () => claimJob(ctx, { owner, kinds: [...steps.keys()] });
  for (let job = await next(); job !== null; ) {
    const claimedJob = { owner, job };
    try {
      const progress = await steps.get(job.kind)?.(job, new AbortController().signal);
      const isContinued =
        progress !== undefined && (await saveJobProgress(ctx, claimedJob, progress));
      if (isContinued && progress.cursor === null) await finishJob(ctx, claimedJob);
      job = isContinued && progress.cursor !== null ? { ...job, ...progress } : await next();
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      await failJob(ctx, claimedJob, error.message, true);
      job = await next();
    }
  }
  await drainRefreshQueue(runtime);
}
