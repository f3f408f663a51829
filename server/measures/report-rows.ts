import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import { judgements, type Wanted } from './judgements';
import type { Origin } from './measure-input';
import type { Slice, SliceField } from './report-input';

/** Which rows a report is made of. */
export interface ReportScope extends Wanted {
  readonly verifier: string;
  readonly origin: Origin;
  /** Labels given under this version of the policy alone; 0 those without one. */
  readonly policy?: number | undefined;
  readonly slice?: Slice | undefined;
}

/** Conditions that a part of a report leaves out, to tell what else could be asked for. */
export type Left = 'version' | 'policy' | 'judge' | 'slice';

/** The column of a judgement that a slice goes by. */
export const sliceColumns: Readonly<Record<SliceField, string>> = {
  model: 'model',
  judge: 'judge',
  tier: 'tier',
  complexity: 'complexity',
  mission: 'mission_id',
};

/** Judgements of one verifier, as a relation with the columns of the table `judgements`. */
export function reportRows(
  ctx: ProjectCtx,
  scope: ReportScope,
  leaving: readonly Left[] = [],
): Fragment {
  const { sql } = ctx;
  const { policy, slice } = scope;
  // Names of imported judges have no version, whatever they look like.
  const verifier =
    leaving.includes('version') && scope.origin === 'verifier'
      ? seriesOf(readVerifierName(scope.verifier))
      : scope.verifier;
  const judge = leaving.includes('judge') ? undefined : scope.judge;
  return sql`
    select * from (${judgements(ctx, scope.origin, { ...scope, verifier, judge })}) as judged
    where true
      ${policy === undefined || leaving.includes('policy') ? sql`` : sql`and policy = ${policy}`}
      ${slice === undefined || leaving.includes('slice') ? sql`` : sql`and ${sql(sliceColumns[slice.by])} = ${slice.value}`}`;
}
