import type { ProjectCtx } from '../../access';
import { invalid } from '../../platform';
import { createJob, type Job } from '../../queue';
import type { ImportMapping } from './mapping';

export const importKind = 'traces.import';

export interface StartImport {
  readonly mapping: ImportMapping;
  readonly file: Buffer;
  /** A repeated id refers to the same import. */
  readonly jobId?: string | undefined;
}

/**
 * Stores a file and enqueues the import of its rows. @throws AssayError invalid_request (an empty
 * file)
 */
export async function startImport(
  ctx: ProjectCtx,
  { mapping, file, jobId }: StartImport,
): Promise<Job> {
  if (file.length === 0)
    throw invalid('file: has no rows', [{ path: 'file', message: 'has no rows' }]);
  return createJob(ctx, {
    id: jobId,
    kind: importKind,
    input: { mapping, bytes: file.length },
    file,
  });
}
