import type { z } from 'zod';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { cursorAt, readCursor } from '../../platform';
import type { ExperimentFilters } from './compare-input';
import { stateOfRun } from '../runs/experiment';
import {
  headOf,
  type ExperimentHead,
  headColumns,
  headTables,
  type HeadRow,
} from './experiment-head';
import { type RunRowCounts, readRowCounts } from './row-counts';

export interface ListedExperiment extends ExperimentHead {
  readonly counts: RunRowCounts;
}

/**
 * The experiments of a project, newest first.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listExperiments(
  ctx: ProjectCtx,
  filters: z.infer<typeof ExperimentFilters>,
): Promise<{ readonly items: readonly ListedExperiment[]; readonly nextCursor: string | null }> {
  const { sql, projectId } = ctx;
  const { dataset, prompt, branch, commit, state, cursor, limit } = filters;
  const after = cursor === undefined ? null : readCursor(cursor);
  // Datasets and prompts are named with their version in the same form as a verifier.
  const named = dataset === undefined ? null : readVerifierName(dataset);
  const ran = prompt === undefined ? null : readVerifierName(prompt);
  const rows = await sql<(HeadRow & { at: string })[]>`
    select ${headColumns(ctx)},
      to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from ${headTables(ctx)} where e.project_id = ${projectId}
      ${named === null ? sql`` : sql`and e.dataset_slug = ${named.slug}`}
      ${named === null || named.version === null ? sql`` : sql`and e.dataset_version = ${named.version}`}
      ${ran === null ? sql`` : sql`and split_part(e.target->>'prompt', '@', 1) = ${ran.slug}`}
      ${ran === null || ran.version === null ? sql`` : sql`and split_part(e.target->>'prompt', '@', 2) = ${String(ran.version)}`}
      ${branch === undefined ? sql`` : sql`and e.branch = ${branch}`}
      ${commit === undefined ? sql`` : sql`and e.commit = ${commit}`}
      ${state === undefined ? sql`` : sql`and ${stateOfRun(sql)} = ${state}`}
      ${after === null ? sql`` : sql`and (e.created_at, e.id) < (${after.at}::timestamptz, ${after.id})`}
    order by e.created_at desc, e.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const counts = await readRowCounts(
    ctx,
    page.map(({ id }) => id),
  );
  const last = page.at(-1);
  return {
    items: page.map((row) => ({ ...headOf(ctx, row), counts: counts(row.id) })),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}
