import { sql as statement } from 'drizzle-orm';
import { type ProjectCtx, recordAudit } from '../../access';
import type { Retention } from '../input';
import { type Cutoffs, countedClasses, oldContent, oldRecords } from './classes';

/** A project without settings keeps everything. */
const keepEverything: Retention = { contentDays: null, recordDays: null, keepLabelled: true };

interface SettingRow {
  content_days: number | null;
  record_days: number | null;
  keep_labelled: boolean;
}

export async function readRetention({
  sql,
  projectId,
}: Pick<ProjectCtx, 'sql' | 'projectId'>): Promise<Retention> {
  const [row] = await sql<SettingRow[]>`
    select content_days, record_days, keep_labelled from retention_settings where project_id = ${projectId}`;
  return row === undefined
    ? keepEverything
    : {
        contentDays: row.content_days,
        recordDays: row.record_days,
        keepLabelled: row.keep_labelled,
      };
}

/** Sets the retention; a worker begins to prune within a minute. */
export async function putRetention(ctx: ProjectCtx, retention: Retention): Promise<Retention> {
  const before = await readRetention(ctx);
  await ctx.db.transaction(async (tx) => {
    await tx.execute(statement`
      insert into retention_settings as r (project_id, content_days, record_days, keep_labelled, updated_by)
      values (${ctx.projectId}, ${retention.contentDays}, ${retention.recordDays}, ${retention.keepLabelled}, ${ctx.actor.label})
      on conflict (project_id) do update set content_days = excluded.content_days, record_days = excluded.record_days,
        keep_labelled = excluded.keep_labelled, updated_by = excluded.updated_by, updated_at = now(), due_at = now()`);
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'data.retention',
      target: null,
      detail: { before, after: retention },
    });
  });
  return readRetention(ctx);
}

/** The data that these settings would delete now: rows by class, counted up to a limit. */
export interface RetentionPreview {
  readonly rows: readonly {
    readonly what: string;
    readonly count: number;
    readonly atLeast: boolean;
  }[];
}

/** Counting stops here: it would take long without giving more information. */
const maxCount = 1_000_000;

/** @throws AssayError unavailable (the rows cannot be counted in time) */
export async function previewRetention(
  ctx: ProjectCtx,
  retention: Retention,
): Promise<RetentionPreview> {
  const { sql } = ctx;
  const cutoffs: Cutoffs = retention;
  const rows: { what: string; count: number; atLeast: boolean }[] = [];
  for (const { table, name, of } of countedClasses) {
    const days = of === 'content' ? retention.contentDays : retention.recordDays;
    if (days === null) continue;
    const chosen =
      of === 'content' ? oldContent(ctx, table, cutoffs) : oldRecords(ctx, table, cutoffs);
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from (select 1 from (${chosen}) as old limit ${maxCount}) as counted`;
    const count = row?.n ?? 0;
    if (count > 0) rows.push({ what: name, count, atLeast: count === maxCount });
  }
  return { rows };
}
