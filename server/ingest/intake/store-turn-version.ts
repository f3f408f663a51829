import type { TransactionSql } from 'postgres';
import type { ProjectCtx } from '../../access';
import { asAssayError } from '../../platform';
import { costColumns, priceRows } from '../models/price-rows';
import { mergeVersions, sameContent, type TurnVersion } from './merge';
import { nothingPlanned, type PlanTurns, asRuleTurn, type TurnOrigin } from './plan-turns';
import { planMore } from './plan-more';
import { prepareTurn, type PreparedTurn } from './prepare';

/**
 * Stores another content of a known turn id, merges all versions into the turn, flags it and
 * enqueues a new verification. `duplicate` when the content is already known, in any spelling.
 * @throws AssayError unavailable
 */
export async function storeTurnVersion(
  ctx: ProjectCtx,
  turn: PreparedTurn,
  input: { readonly planTurns: PlanTurns; readonly origin: TurnOrigin },
): Promise<'duplicate' | 'merged'> {
  try {
    return await ctx.sql.begin(async (sql) => {
      const [stored] = await sql<
        { payload: string; content_hash: string; revision: number; flags: string[] }[]
      >`
        select payload, content_hash, revision, to_jsonb(flags) as flags from turns where project_id = ${ctx.projectId} and id = ${turn.id} for update`;
      if (stored === undefined) throw new Error('the turn was deleted');
      const versionRows = await sql<{ content_hash: string; payload: string }[]>`
        select content_hash, payload from turn_versions where project_id = ${ctx.projectId} and turn_id = ${turn.id}`;
      const versions: TurnVersion[] =
        versionRows.length > 0
          ? versionRows.map((row) => ({ contentHash: row.content_hash, payload: row.payload }))
          : [{ contentHash: stored.content_hash, payload: stored.payload }];
      if (
        versions.some(
          (version) =>
            version.contentHash === turn.contentHash || sameContent(version.payload, turn.payload),
        )
      )
        return 'duplicate';
      const all = [...versions, { contentHash: turn.contentHash, payload: turn.payload }];
      for (const version of all) {
        await sql`
          insert into turn_versions (project_id, turn_id, content_hash, payload)
          values (${ctx.projectId}, ${turn.id}, ${version.contentHash}, ${version.payload}) on conflict do nothing`;
      }
      if (turn.original !== null) {
        await sql`
          insert into turn_originals (project_id, turn_id, content_hash, body)
          values (${ctx.projectId}, ${turn.id}, ${turn.contentHash}, ${turn.original}) on conflict do nothing`;
      }
      const merged = mergeVersions(all);
      const fields = prepareTurn(Buffer.from(merged.payload), true, {
        now: ctx.clock.now(),
        idSeed: turn.id,
      });
      const flags = [...new Set([...stored.flags, ...turn.flags, 'conflict'])].sort();
      const cost = await costRow({ ...ctx, sql }, fields);
      await sql`
        update turns set payload = ${merged.payload}, content_hash = ${merged.contentHash}, revision = revision + 1,
          flags = array(select jsonb_array_elements_text(${JSON.stringify(flags)}::text::jsonb)),
          session_id = ${fields.sessionId}, trace_id = ${fields.traceId}, source = ${fields.source}, model = ${fields.model},
          started_at = ${fields.startedAt}, ended_at = ${fields.endedAt}, input_excerpt = ${fields.inputExcerpt},
          (usage, cost_usd, cost_basis) = (
            select mu, cost, cb from jsonb_to_record(${cost}::text::jsonb) as r(mu jsonb, cost double precision, cb text[]))
        where project_id = ${ctx.projectId} and id = ${turn.id}`;
      const [planned] = await input.planTurns([asRuleTurn(ctx.projectId, fields, input.origin)]);
      await planMore(sql, {
        projectId: ctx.projectId,
        target: 'turn',
        subjectId: turn.id,
        revision: stored.revision + 1,
        planned: planned ?? nothingPlanned,
      });
      return 'merged';
    });
  } catch (error) {
    ctx.log.warn({ err: error }, 'another content of a turn was not stored');
    throw asAssayError(error);
  }
}

/** The cost columns of a turn's merged content, as JSON text. */
async function costRow(
  ctx: Pick<ProjectCtx, 'projectId' | 'clock'> & { readonly sql: TransactionSql },
  { usage, model, startedAt }: PreparedTurn,
): Promise<string> {
  const at = startedAt === null ? ctx.clock.now() : new Date(startedAt);
  const [cost] = await priceRows(ctx, [{ projectId: ctx.projectId, usage, models: [model], at }]);
  return JSON.stringify(costColumns(cost));
}

/**
 * True if the turn already has this content: unchanged, in another spelling, or as one of its
 * merged versions.
 */
export async function isKnownContent(ctx: ProjectCtx, turn: PreparedTurn): Promise<boolean> {
  const rows = await ctx.sql<{ content_hash: string; payload: string }[]>`
    select content_hash, payload from turns where project_id = ${ctx.projectId} and id = ${turn.id}
    union all
    select content_hash, payload from turn_versions where project_id = ${ctx.projectId} and turn_id = ${turn.id}`;
  return rows.some(
    (row) => row.content_hash === turn.contentHash || sameContent(row.payload, turn.payload),
  );
}
