import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { listProviders } from '../../llm';

/**
 * The setup progress of a project. Each step is derived from stored data, no matter which account
 * or client created it.
 */
export interface SetupState {
  readonly steps: {
    /** An API key exists. */
    readonly key: boolean;
    /** Data was received: a turn, a trace or work to judge. */
    readonly trace: boolean;
    readonly verdict: boolean;
    /** Someone has ruled on a verdict or graded one. */
    readonly ruling: boolean;
    /**
     * At least one model can be called, through a provider of the project or of the environment.
     */
    readonly model: boolean;
    readonly threshold: boolean;
    readonly prompt: boolean;
    readonly gateway: boolean;
    /** Another person is a member or invited. */
    readonly member: boolean;
  };
  /** The newest verdict, as an example to open. */
  readonly latestVerdictId: string | null;
  /** The current user has hidden it. */
  readonly hidden: boolean;
}

interface Row {
  key: boolean;
  trace: boolean;
  ruling: boolean;
  threshold: boolean;
  prompt: boolean;
  gateway: boolean;
  member: boolean;
  hidden: boolean;
  latest: string | null;
}

/**
 * Whether the project has a row in this table. Orders by an index that begins with `project_id` and
 * does not use `exists`, for which the planner drops the order. It might then scan the rows of
 * other projects in a large table until it finds one.
 */
function hasRow(
  { sql, projectId }: ProjectCtx,
  table: string,
  order: string,
  and: Fragment = sql``,
): Fragment {
  return sql`(select true from ${sql(table)} where project_id = ${projectId} ${and} order by ${sql(order)} limit 1) is not null`;
}

/**
 * Looks for one row per step and counts nothing, so the cost does not depend on the size of the
 * project.
 */
export async function getSetup(ctx: ProjectCtx): Promise<SetupState> {
  const { sql, projectId, actor } = ctx;
  const [rows, providers] = await Promise.all([
    sql<Row[]>`
      select
        ${hasRow(ctx, 'api_keys', 'id')} as key,
        (${hasRow(ctx, 'turns', 'id', sql`and origin <> 'experiment'`)} or ${hasRow(ctx, 'traces', 'id')}
          or ${hasRow(ctx, 'subjects', 'kind', sql`and not exists (select from turns t where t.project_id = ${projectId} and t.id = subjects.turn_id and t.origin = 'experiment')`)}) as trace,
        ${hasRow(
          ctx,
          'labels',
          'id',
          sql`and kind in ('override', 'abstention', 'grade') and not exists (select from turns t where t.project_id = ${projectId} and t.id = labels.subject_id and t.origin = 'experiment')`,
        )} as ruling,
        ${hasRow(ctx, 'thresholds', 'verifier')} as threshold,
        ${hasRow(ctx, 'prompt_versions', 'slug')} as prompt,
        ${hasRow(ctx, 'gateway_rollups', 'hour')} as gateway,
        (${hasRow(ctx, 'members', 'user_id', sql`and user_id <> ${actor.id}`)}
          or ${hasRow(ctx, 'claims', 'id', sql`and kind = 'invitation' and used_at is null and revoked_at is null`)}) as member,
        ${hasRow(ctx, 'setup_hidden', 'user_id', sql`and user_id = ${actor.id}`)} as hidden,
        (select id from verdicts where project_id = ${projectId} and experiment_id is null order by settled_at desc, id desc limit 1) as latest`,
    listProviders(ctx),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('a select of one row gave none');
  const { latest, hidden, ...steps } = row;
  return {
    steps: { ...steps, verdict: latest !== null, model: providers.some(({ enabled }) => enabled) },
    latestVerdictId: latest,
    hidden,
  };
}
