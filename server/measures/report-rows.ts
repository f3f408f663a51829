import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import { identityOf, isModel } from '../ingest';
import { labelledVerdictRows, type Wanted } from './labelled-verdicts';
import type { Origin } from './measure-input';
import type { Slice, SliceField } from './report-input';

/** Selects the rows of a report. */
export interface ReportScope extends Wanted {
  readonly verifier: string;
  readonly origin: Origin;
  /** Only labels given under this version of the policy; 0 for those without one. */
  readonly policy?: number | undefined;
  readonly slice?: Slice | undefined;
}

/** A condition that a part of a report omits, to list the other available filters. */
export type Left = 'version' | 'policy' | 'judge' | 'slice';

/** The column of each slice field. */
export const sliceColumns: Readonly<Record<SliceField, string>> = {
  model: 'model',
  judge: 'judge',
  tier: 'tier',
  complexity: 'complexity',
  mission: 'mission_id',
};

/** The value of a slice field of `j`, a row of `judgements`, the model by its identity. */
export function sliceValue(ctx: Pick<ProjectCtx, 'sql'>, by: SliceField): Fragment {
  const column = ctx.sql`j.${ctx.sql(sliceColumns[by])}`;
  return by === 'model' ? identityOf(ctx, ctx.sql`j.project_id`, column) : column;
}

const isOfSlice = (ctx: ProjectCtx, { by, value }: Slice): Fragment =>
  by === 'model'
    ? isModel(ctx, ctx.sql`model`, value)
    : ctx.sql`${ctx.sql(sliceColumns[by])} = ${value}`;

/** Labelled verdicts of one verifier, as a relation with the columns of the table `judgements`. */
export function reportRows(
  ctx: ProjectCtx,
  scope: ReportScope,
  leaving: readonly Left[] = [],
): Fragment {
  const { sql } = ctx;
  const { policy, slice } = scope;
  // Names of imported judges have no version, even if they contain text that resembles one.
  const verifier =
    leaving.includes('version') && scope.origin === 'verifier'
      ? seriesOf(readVerifierName(scope.verifier))
      : scope.verifier;
  const judge = leaving.includes('judge') ? undefined : scope.judge;
  return sql`
    select * from (${labelledVerdictRows(ctx, scope.origin, { ...scope, verifier, judge })}) as judged
    where true
      ${policy === undefined || leaving.includes('policy') ? sql`` : sql`and policy = ${policy}`}
      ${slice === undefined || leaving.includes('slice') ? sql`` : sql`and ${isOfSlice(ctx, slice)}`}`;
}
