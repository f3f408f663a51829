import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ProjectCtx, enterProject } from '../../access';
import { type Ctx, newId, notFound, refused } from '../../platform';
import { createJob, getJob, type Job, type JobStep } from '../../queue';
import { exportKind } from './export-job';
import { beginning, type ExportCursor, exportChunk } from './lines';

/** Uncompressed characters at which a part is closed. */
const partChars = 4 * 1024 * 1024;

/** Information about the file, stored with the job. */
export interface ExportResult {
  readonly parts: number;
  readonly bytes: number;
  readonly lines: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Starts an export of the project; the file is available when the job is done. */
export async function startExport(ctx: ProjectCtx): Promise<Job> {
  const id = newId('job', ctx.clock.now());
  const { sql, projectId } = ctx;
  // A complete export is large, and only the latest of a project is kept.
  await sql`delete from export_parts where project_id = ${projectId}`;
  return createJob(ctx, { id, kind: exportKind, input: {} });
}

/**
 * Reads the next part and stores it as a gzip member; concatenated members form one file. Repeating
 * a step stores the same part again.
 */
export function createExportStep(ctx: Ctx): JobStep {
  return async (job) => {
    const project = enterProject(
      ctx,
      { id: job.projectId, slug: job.projectSlug },
      { kind: 'system', id: 'export', label: 'export' },
    );
    let cursor: ExportCursor | null = (job.cursor as ExportCursor | null) ?? beginning;
    const before = (job.result as ExportResult | null) ?? {
      parts: 0,
      bytes: 0,
      lines: 0,
      counts: {},
    };
    const lines: string[] = [];
    let counts = before.counts;
    for (let chars = 0; cursor !== null && chars < partChars; ) {
      const chunk = await exportChunk(project, cursor);
      for (const line of chunk.lines) chars += line.length;
      lines.push(...chunk.lines);
      ({ cursor, counts } = chunk);
    }
    const body = await promisify<string, Buffer>(gzip)(lines.map((line) => `${line}\n`).join(''));
    await project.sql`
      insert into export_parts (project_id, export_id, ordinal, lines, body)
      values (${job.projectId}, ${job.id}, ${before.parts}, ${lines.length}, ${body})
      on conflict (project_id, export_id, ordinal) do update set lines = excluded.lines, body = excluded.body`;
    const result: ExportResult = {
      parts: before.parts + 1,
      bytes: before.bytes + body.length,
      lines: before.lines + lines.length,
      counts,
    };
    return { cursor, done: result.lines, total: null, errors: [], result };
  };
}

/**
 * Reads a part of the file.
 * @throws AssayError not_found; refused (not made yet, or removed by a newer export or a deletion)
 */
export async function readExportPart(
  ctx: ProjectCtx,
  id: string,
  ordinal: number,
): Promise<Buffer> {
  const job = await getJob(ctx, id);
  if (job.kind !== exportKind) throw notFound('export');
  if (job.state !== 'done') throw refused('the export is not ready yet; try again later');
  const { sql, projectId } = ctx;
  const [row] = await sql<{ body: Buffer }[]>`
    select body from export_parts where project_id = ${projectId} and export_id = ${id} and ordinal = ${ordinal}`;
  if (row === undefined)
    throw refused(
      'the file has been removed, because a newer export was started or content has since been deleted; start a new export',
    );
  return row.body;
}

/** The exports that still have their file. */
export async function availableExports({
  sql,
  projectId,
}: ProjectCtx): Promise<ReadonlySet<string>> {
  const rows = await sql<
    { export_id: string }[]
  >`select distinct export_id from export_parts where project_id = ${projectId}`;
  return new Set(rows.map((row) => row.export_id));
}
