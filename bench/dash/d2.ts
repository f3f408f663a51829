import type { Sql } from 'postgres';
import type { ProjectCtx } from '../../server/access';
import { createTestProject } from '../../testing/database';
import { storeVerdicts, type Settlement, unjudged } from '../../server/verdicts';
import { median, runRounds } from '../rounds';
import { compare, type Row } from '../row';
import type { RowMaker } from '../run';
import type { Stage } from '../stage';

/** The lane's batch size, and its number of concurrent batches. */
const batch = 200;
const concurrency = 2;
const owner = 'bench';

/**
 * D2: verdicts stored per second as the product does it, with all counters, and by the same
 * statement without its counters: of verdicts by day, of their spreads, and of the refresh queue.
 * `listed` is the product on a database without the index of the list.
 */
export const d2: RowMaker = {
  name: 'D2',
  async make(stage, settings) {
    const count = settings.smoke ? 1_000 : 20_000;
    const other = await stage.openDatabase('dash_unlisted');
    await other.runtime.ctx.sql.unsafe('drop index verdicts_listed');
    const project = await createTestProject(stage.runtime);
    const bare = await createTestProject(stage.runtime);
    let serial = 0;
    const run = (name: string, ctx: { sql: Sql; project: ProjectCtx }, sql: Sql) => ({
      name,
      run: async () => ({
        perS: await settleMany(ctx.sql, sql, ctx.project, `${name}-${++serial}`, count),
      }),
    });
    const own = { sql: stage.sql, project };
    const measured = await runRounds(
      'D2',
      [
        run(
          'without',
          { sql: stage.sql, project: bare },
          leavingOut(stage.sql, ['redecided as', 'spread as', 'due as']),
        ),
        run('assay', own, stage.sql),
        run('unspread', own, leavingOut(stage.sql, ['spread as', 'due as'])),
        run(
          'unlisted',
          { sql: other.runtime.ctx.sql, project: other.project },
          other.runtime.ctx.sql,
        ),
      ],
      settings,
    );
    await checkCounts(stage, project);
    const assayValues = measured('assay', 'perS');
    const compareWith = (figure: string, of: string): Row =>
      compare({
        figure: `D2 verdicts settled with all counts, against ${figure}`,
        unit: '1/s',
        assayValues,
        peer: measured(of, 'perS'),
      });
    return [
      compare({
        figure: 'D2 verdicts settled with all counts, against the same statement without counts',
        unit: '1/s',
        assayValues,
        floor: measured('without', 'perS'),
        goal: { min: 0.85 },
        notes: [
          `batches of ${batch}, ${concurrency} at once, 3 scores each; ${Math.round(1e6 / median(assayValues))} µs a verdict`,
        ],
      }),
      compareWith('without spreads and dues', 'unspread'),
      compareWith('without the index of the list', 'unlisted'),
    ];
  },
};

/**
 * The same client, with parts of the statement disabled: each replacement begins by closing the CTE
 * before it.
 */
function leavingOut(sql: Sql, parts: readonly string[]): Sql {
  const call = sql as unknown as (
    strings: TemplateStringsArray,
    ...args: readonly unknown[]
  ) => unknown;
  return new Proxy(sql, {
    apply: (_target, _self, [strings, ...args]: [TemplateStringsArray, ...unknown[]]) =>
      parts.some((part) => (strings[0] ?? '').trimStart().startsWith(`), ${part} (`))
        ? sql``
        : call(strings, ...args),
  });
}

async function settleMany(
  plain: Sql,
  sql: Sql,
  { projectId }: ProjectCtx,
  name: string,
  count: number,
): Promise<number> {
  await plain`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, owner, fence, created_at)
    select ${projectId}, ${name} || '-' || n, 'turn', ${name} || '-' || n, 1, 'integrity', ${owner}, 1, now() - (1 + abs(hashint4(n)::bigint) % 2000) * interval '1 ms'
    from generate_series(0, ${count - 1}::int) n`;
  const rows = await plain<
    { id: string; created_at: string }[]
  >`select id, created_at from work where project_id = ${projectId} order by id`;
  await plain`vacuum analyze work`;
  const settlements = rows.map(({ id, created_at: at }, n) =>
    settlementOf(projectId, id, new Date(at), n),
  );
  let next = 0;
  let stored = 0;
  const hand = async (): Promise<void> => {
    while (next < settlements.length) {
      const some = settlements.slice(next, (next += batch));
      const settled = await storeVerdicts({ sql }, owner, some);
      stored += settled.stored.size;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, hand));
  const seconds = (performance.now() - began) / 1000;
  if (stored !== count) throw new Error(`void: ${stored} of ${count} verdicts stored`);
  return count / seconds;
}

function settlementOf(projectId: string, id: string, createdAt: Date, n: number): Settlement {
  const failed = n % 5 === 0;
  const work = {
    projectId,
    id,
    subjectKind: 'turn',
    subjectId: id,
    revision: 1,
    verifier: 'integrity',
    rule: null,
    fence: 1,
    attempts: 0,
    createdAt,
  };
  return {
    work,
    simulatedAt: null,
    kind: 'integrity',
    verifierSlug: 'integrity',
    verifierVersion: 1,
    turnId: id,
    traceId: null,
    sessionId: 'session',
    model: `model-${n % 8}`,
    clientId: null,
    outcome: failed ? 'failed' : 'passed',
    verdict: failed ? 'unsourced' : 'verified',
    action: 'none',
    score: (n % 21) / 20,
    confidence: null,
    needsHumanReview: false,
    decision: { state: 'run', reason: null },
    issues: [],
    feedback: null,
    missionId: null,
    taskId: null,
    threshold: null,
    retries: null,
    judging: unjudged,
    detail: { figures: [], unsourced: 0 },
    excerpt: 'The disk is 42 % full.',
    scores: ['figures', 'envelope', 'sources'].map((check) => ({
      name: check,
      evaluator: check,
      state: 'scored' as const,
      value: 1,
      met: true,
      must_pass: false,
      weight: 1,
      reasoning: null,
      evidence: [],
      model: null,
      prompt_version: null,
      cost_usd: 0,
      latency_ms: 0.1,
      cached: false,
    })),
    integrity: { fallback: false, figures: 2, unsourced: failed ? 1 : 0, reprompt: false },
  };
}

/**
 * Raw counts compared with counters, for the contender that counts everything; the rows of
 * `unspread` are in the verdicts but not in the spreads.
 */
async function checkCounts({ sql }: Stage, { projectId }: ProjectCtx): Promise<void> {
  const [row] = await sql<
    { raw: number; rolled: number; populated: number; spread: number; spread_raw: number }[]
  >`
    select (select count(*)::int from verdicts where project_id = ${projectId}) as raw,
      (select sum(passed + failed)::int from verdict_rollups where project_id = ${projectId}) as rolled,
      (select sum(passed + failed)::int from verdict_populations where project_id = ${projectId}) as populated,
      (select sum(value::int)::int from verdict_spreads, jsonb_each_text(counts) where project_id = ${projectId} and measure = 'wait') as spread,
      (select count(*)::int from verdicts where project_id = ${projectId} and id like 'assay-%') as spread_raw`;
  if (
    row === undefined ||
    row.raw !== row.rolled ||
    row.raw !== row.populated ||
    row.spread !== row.spread_raw
  )
    throw new Error(`void: counts and verdicts differ: ${JSON.stringify(row)}`);
}
