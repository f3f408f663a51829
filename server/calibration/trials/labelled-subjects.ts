import type { ProjectCtx } from '../../access';
import { findOutweighing } from '../measures/outweighing';
import { truths } from '../measures/truths';
import type { TrialOrder } from './trial-input';

/** A subject of which it is known whether it was good. */
export interface LabelledSubject {
  readonly id: string;
  readonly good: boolean;
  /** The kind of label that the truth comes from. */
  readonly truthOf: 'override' | 'outcome' | 'import';
}

interface Row {
  id: string;
  good: boolean;
  truth_of: LabelledSubject['truthOf'];
}

/**
 * Labelled subjects of one kind, the newest first or in an order that the seed decides. The truth is the one that measures go by: the
 * latest ruling that counts on a verdict of it, else what outcomes and imported labels say (`truths`).
 */
export async function findLabelledSubjects(
  ctx: ProjectCtx,
  input: { readonly kind: string; readonly order: TrialOrder; readonly seed: number; readonly limit: number },
): Promise<LabelledSubject[]> {
  const { sql, projectId } = ctx;
  const outweighed = (await findOutweighing(ctx, input.kind)).map(({ slug, account, until }) => ({ slug, account, until }));
  const drawn = sql`md5(${String(input.seed)} || ' ' || s.id)`;
  const rows = await sql<Row[]>`
    with ${truths(ctx, null, outweighed)}, own_truths as (
      select distinct on (subject_id) subject_id, success from ruled_truths order by subject_id, created_at desc, id desc
    ), labelled as (
      select subject_id as id from own_truths union select subject_id from subject_truths where success is not null
    )
    select s.id, coalesce(r.success, t.success) as good, case when r.success is not null then 'override' else t.kind end as truth_of
    from labelled l
    join subjects s on s.project_id = ${projectId} and s.kind = ${input.kind} and s.id = l.id
    left join own_truths r on r.subject_id = s.id
    left join subject_truths t on t.subject_id = s.id
    order by ${input.order === 'newest' ? sql`s.created_at desc, s.id desc` : sql`${drawn}, s.id`} limit ${input.limit}`;
  return rows.map(({ id, good, truth_of: truthOf }) => ({ id, good, truthOf }));
}
