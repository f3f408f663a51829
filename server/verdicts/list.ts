import type { Fragment, Sql } from 'postgres';
import { isReadableRun, type ProjectCtx } from '../access';
import { Outcome, readVerifierName } from '../domain';
import { identityOf, isModel, modelNamesOf } from '../ingest';
import { anywhere, cursorAt, readCursor } from '../platform';
import type { FiguresFound, VerdictFilters } from './input';
import { asVerdictRow, type StoredRow, type VerdictRow } from './rows';
import { isLabelled, loadRulings } from './rulings';

export interface VerdictPage {
  readonly items: readonly VerdictRow[];
  readonly nextCursor: string | null;
}

/**
 * Verdicts, newest first. Pagination is by keyset, so every page costs the same. @throws AssayError
 * invalid_request if the cursor is invalid
 */
export async function listVerdicts(ctx: ProjectCtx, filters: VerdictFilters): Promise<VerdictPage> {
  const { sql } = ctx;
  const limit = filters.limit ?? 50;
  // Labels are looked up only for the rows of the page: if they were joined before the limit, the
  // planner would expect more rows and read all labels.
  const rows = await sql<(StoredRow & { at: string })[]>`
    select verdicts.*, ${isLabelled(sql)} as labelled from (
      select project_id, id, kind, verifier_slug, verifier_version, outcome, verdict, score, model, excerpt, subject_kind, turn_id,
        session_id, created_at, settled_at, superseded, (detail->>'unsourced')::int as unsourced,
        case when jsonb_typeof(detail->'figures') = 'array' then jsonb_array_length(detail->'figures') end as figures,
        to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from ${listed(ctx, filters, limit + 1)}
      order by settled_at desc, id desc limit ${limit + 1}
    ) as verdicts
    order by settled_at desc, id desc`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const rulings = await loadRulings(
    ctx,
    page.filter((row) => row.labelled).map((row) => row.id),
  );
  return {
    items: page.map((row) => asVerdictRow(row, rulings.get(row.id) ?? [])),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/**
 * A relation `verdicts` with at least the verdicts of the page. Verdicts of one verifier and model
 * are read by name and outcome, in the order of the index `verdicts_listed`: otherwise a page of a
 * rare outcome would read all verdicts with frequent outcomes.
 */
function listed(
  ctx: ProjectCtx,
  filters: VerdictFilters,
  limit: number,
  more = ctx.sql``,
): Fragment {
  const { sql, projectId } = ctx;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const { verifier, model } = filters;
  const byName = verifier !== undefined && model !== undefined && model !== '';
  const found = sql`
    from verdicts where project_id = ${projectId} ${where(ctx, byName ? { ...filters, model: undefined } : filters)} ${more}
    ${after === null ? sql`` : sql`and (settled_at, id) < (${after.at}::timestamptz, ${after.id})`}`;
  // A repeated outcome is queried once.
  const outcomes = [...new Set(filters.outcome ?? [])];
  if (!byName) {
    return sql`(select * ${found} ${outcomes.length === 0 ? sql`` : sql`and outcome in ${sql(outcomes)}`}
      order by settled_at desc, id desc limit ${limit}) as verdicts`;
  }
  const wanted = JSON.stringify(outcomes.length === 0 ? Outcome.options : outcomes);
  return sql`jsonb_array_elements_text(${wanted}::text::jsonb) as wanted(word)
    cross join unnest(${modelNamesOf(ctx, model)}) as named(name) cross join lateral (
    select * ${found} and outcome = wanted.word and model = named.name order by settled_at desc, id desc limit ${limit}
  ) as verdicts`;
}

/** Verdicts read at once to find turns. */
const turnsChunk = 2_000;

/**
 * Ids of the turns of the verdicts that match the filters, by their newest verdict, newest first;
 * at most `limit`. Verdicts of experiments are excluded. With `labelledOnly`, only turns with a
 * label.
 */
export async function findVerdictTurns(
  ctx: ProjectCtx,
  filters: Omit<VerdictFilters, 'cursor' | 'limit'>,
  { limit, labelledOnly }: { readonly limit: number; readonly labelledOnly: boolean },
): Promise<readonly string[]> {
  const { sql } = ctx;
  const counts = sql`and turn_id is not null and experiment_id is null
    and ${labelledOnly ? hasLabel(ctx, sql`verdicts.subject_id`) : sql`true`}`;
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const rows = await sql<{ id: string; at: string; turn_id: string }[]>`
      select id, turn_id, to_char(settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from ${listed(ctx, { ...filters, cursor }, turnsChunk, counts)}
      order by settled_at desc, verdicts.id desc limit ${turnsChunk}`;
    for (const { turn_id: id } of rows) if (found.size < limit) found.add(id);
    const last = rows.at(-1);
    cursor = rows.length === turnsChunk && last !== undefined ? cursorAt(last) : undefined;
  } while (cursor !== undefined && found.size < limit);
  return [...found];
}

/** Whether a subject has a ruling, an outcome or an imported label that was not undone. */
export const hasLabel = (
  { sql, projectId }: ProjectCtx,
  subjectId: Fragment,
): Fragment => sql`exists (
  select from labels l where l.project_id = ${projectId} and l.subject_id = ${subjectId}
    and l.kind in ('override', 'outcome', 'import')
    and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id))`;

/** Possible values of the filters, from the rollups. */
export async function listFilterValues(
  ctx: ProjectCtx,
): Promise<{ models: string[]; verifiers: string[] }> {
  const rows = await ctx.sql<{ model: string; verifier_slug: string }[]>`
    select distinct ${identityOf(ctx, ctx.sql`r.project_id`, ctx.sql`r.model`)} as model, verifier_slug from verdict_rollups r
    where project_id = ${ctx.projectId} order by 1, 2 limit 500`;
  return {
    models: [...new Set(rows.map((row) => row.model).filter((model) => model !== ''))],
    verifiers: [...new Set(rows.map((row) => row.verifier_slug))],
  };
}

/** All filters except the outcomes. */
function where(ctx: ProjectCtx, f: VerdictFilters): Fragment {
  const { sql } = ctx;
  const { slug, version, self } = readVerifierName(f.verifier ?? '');
  return sql`
    ${ofExperiment(ctx, f, { experimentId: sql`experiment_id`, turnId: sql`verdicts.turn_id` })}
    ${f.verifier === undefined ? sql`` : sql`and verifier_slug = ${slug}`}
    ${self ? sql`and cross_model = 'self'` : sql``}
    ${version === null ? sql`` : sql`and verifier_version = ${version}`}
    ${f.kind === undefined ? sql`` : sql`and kind = ${f.kind}`}
    ${f.model === undefined ? sql`` : f.model === '' ? sql`and coalesce(model, '') = ''` : sql`and ${isModel(ctx, sql`model`, f.model)}`}
    ${f.figures === undefined ? sql`` : figuresFound(sql, f.figures)}
    ${f.session === undefined ? sql`` : sql`and session_id = ${f.session}`}
    ${f.turn === undefined ? sql`` : sql`and turn_id = ${f.turn}`}
    ${f.trace === undefined ? sql`` : sql`and trace_id = ${f.trace}`}
    ${f.subject === undefined ? sql`` : sql`and subject_id = ${f.subject}`}
    ${f.mission === undefined ? sql`` : sql`and mission_id = ${f.mission}`}
    ${f.task === undefined ? sql`` : sql`and task_id = ${f.task}`}
    ${f.tag === undefined ? sql`` : sql`and trace_id in (select id from traces where project_id = ${ctx.projectId} and tags @> array[${f.tag}]::text[])`}
    ${f.prompt === undefined ? sql`` : sql`and id in (select verdict_id from scores where project_id = ${ctx.projectId} and prompt_version = ${f.prompt})`}
    ${f.text === undefined || f.text === '' ? sql`` : sql`and excerpt ilike ${anywhere(f.text)}`}
    ${f.from === undefined ? sql`` : sql`and settled_at >= ${f.from.toISOString()}::timestamptz`}
    ${f.to === undefined ? sql`` : sql`and settled_at < ${f.to.toISOString()}::timestamptz`}`;
}

interface RunColumns {
  readonly experimentId: Fragment;
  readonly turnId: Fragment;
}

/**
 * Live verdicts, or those of one experiment. A turn or a subject is named by its id, so all of its
 * verdicts are listed.
 */
export function ofExperiment(
  ctx: ProjectCtx,
  { experiment, turn, subject }: VerdictFilters,
  { experimentId, turnId }: RunColumns,
): Fragment {
  const { sql } = ctx;
  const readable = sql`and ${isReadableRun(ctx, experimentId, turnId)}`;
  if (experiment !== undefined) return sql`and ${experimentId} = ${experiment} ${readable}`;
  return turn === undefined && subject === undefined ? sql`and ${experimentId} is null` : readable;
}

/** The same condition as for the counts in `integrity_rollups` (settle-counters.ts). */
function figuresFound(sql: Sql, found: FiguresFound): Fragment {
  const more: Record<FiguresFound, Fragment> = {
    looked_at: sql``,
    scanned: sql`and detail->>'mode' = 'fallback_scan'`,
    figures: sql`and jsonb_array_length(detail->'figures') > 0`,
    unsourced: sql`and (detail->>'unsourced')::int > 0`,
    sent_back: sql`and (detail->>'reprompt_used')::boolean`,
    helped: sql`and (detail->>'reprompt_used')::boolean and (detail->>'unsourced')::int = 0`,
  };
  return sql`and kind = 'integrity' and jsonb_typeof(detail->'fields') = 'object' ${more[found]}`;
}
