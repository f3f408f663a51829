import type { TransactionSql } from 'postgres';
import type { ProjectCtx } from '../../access';
import { listPrompts } from '../../prompts';
import type { SubjectDeps } from '../subjects/subject-deps';
import { listVerifiers } from '../verifiers/get-verifier';
import { findByKey } from './find-by-key';
import { findByName, modelDays } from './find-by-name';
import { findInText, newestVerdicts } from './find-in-text';
import type { SearchHit } from './hit';

export interface SearchResult {
  /** Exact matches first, then matching beginnings, then names, then texts. */
  readonly hits: readonly SearchHit[];
  /** The searched range: for text the newest verdicts, for models the latest days. */
  readonly searched: { readonly newestVerdicts: number; readonly modelDays: number };
  /** Searches that timed out: their hits may be missing. */
  readonly unfinished: readonly ('ids' | 'names' | 'text')[];
}

/** The timeout of each statement; the number of rows is limited too. */
const timeoutMs = 1_500;

/**
 * Searches for a text among ids (complete or the beginning, by the keys of the tables), names (any
 * part), and the excerpts of recent verdicts. The cost does not grow with the number of verdicts;
 * the result lists searches that timed out.
 */
export async function findAnywhere(
  ctx: ProjectCtx,
  { prompts }: Pick<SubjectDeps, 'prompts'>,
  { q }: { readonly q: string },
): Promise<SearchResult> {
  const [ids, names, text, verifiers, texts] = await Promise.all([
    inTime(ctx, (tx) => findByKey({ sql: tx, projectId: ctx.projectId }, q)),
    inTime(ctx, (tx) => findByName({ sql: tx, projectId: ctx.projectId }, q)),
    inTime(ctx, (tx) => findInText({ sql: tx, projectId: ctx.projectId }, q)),
    listVerifiers(ctx),
    listPrompts(ctx, prompts),
  ]);
  const part = q.toLowerCase();
  const own: SearchHit[] = [
    ...verifiers
      .filter(
        ({ slug, isCustom, name }) =>
          slug.includes(part) || (isCustom && name.toLowerCase().includes(part)),
      )
      .map(({ slug, isCustom, name }) => named('verifier', slug, isCustom ? name : null)),
    ...texts
      .filter(({ slug, title }) => slug.includes(part) || title.toLowerCase().includes(part))
      .map(({ slug, title }) => named('prompt', slug, title)),
  ];
  const byId = ids ?? [];
  const seen = new Set(byId.map(({ kind, id }) => `${kind} ${id}`));
  return {
    hits: [
      ...byId.filter(({ id, name }) => id === q || name === q),
      ...byId.filter(({ id, name }) => id !== q && name !== q),
      ...(names ?? []),
      ...own,
      ...(text ?? []).filter(({ kind, id }) => !seen.has(`${kind} ${id}`)),
    ],
    searched: { newestVerdicts, modelDays },
    unfinished: [
      ...(ids === null ? (['ids'] as const) : []),
      ...(names === null ? (['names'] as const) : []),
      ...(text === null ? (['text'] as const) : []),
    ],
  };
}

const named = (kind: SearchHit['kind'], id: string, name: string | null): SearchHit => ({
  kind,
  id,
  name,
  outcome: null,
  at: null,
  opens: null,
});

/** Null if it timed out. */
async function inTime(
  ctx: ProjectCtx,
  run: (tx: TransactionSql) => Promise<SearchHit[]>,
): Promise<SearchHit[] | null> {
  try {
    return await ctx.sql.begin('read only', async (tx) => {
      await tx`select set_config('statement_timeout', ${String(timeoutMs)}, true)`;
      return run(tx);
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '57014') return null;
    throw error;
  }
}
