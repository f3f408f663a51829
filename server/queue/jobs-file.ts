import type { Sql, TransactionSql } from 'postgres';

/** Size of a part, except the last: small, since a step reads only the few that it needs. */
const partBytes = 256 * 1024;

interface JobFile {
  readonly projectId: string;
  readonly jobId: string;
}

/** Stores a job's file in parts. */
export async function storeJobFile(
  sql: Sql | TransactionSql,
  file: JobFile & { readonly body: Buffer },
): Promise<void> {
  for (let at = 0, ordinal = 0; at < file.body.length; at += partBytes, ordinal++) {
    await sql`
      insert into job_files (project_id, job_id, ordinal, body)
      values (${file.projectId}, ${file.jobId}, ${ordinal}, ${file.body.subarray(at, at + partBytes)})
      on conflict do nothing`;
  }
}

/** At least `bytes` bytes of a job's file from `from` on; fewer only at its end. */
export async function readJobFile(
  ctx: { readonly sql: Sql },
  file: JobFile & { readonly from: number; readonly bytes: number },
): Promise<Buffer> {
  const first = Math.floor(file.from / partBytes);
  const last = Math.floor((file.from + file.bytes) / partBytes);
  const parts = await ctx.sql<{ body: Buffer }[]>`
    select body from job_files
    where project_id = ${file.projectId} and job_id = ${file.jobId} and ordinal between ${first} and ${last} order by ordinal`;
  return Buffer.concat(parts.map((part) => part.body)).subarray(file.from - first * partBytes);
}

/** Deletes the file of a job that has ended: nothing reads it again. */
export async function dropJobFile(
  ctx: { readonly sql: Sql },
  projectId: string,
  jobId: string,
): Promise<void> {
  await ctx.sql`delete from job_files where project_id = ${projectId} and job_id = ${jobId}`;
}
