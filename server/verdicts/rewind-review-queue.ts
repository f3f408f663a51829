import type { Fragment, Sql } from 'postgres';

/**
 * The part of the settling statement, to follow an open parenthesis of `with`, that makes the
 * review queue read simulated verdicts: a queue advances by the time of settling, and they settle
 * before its position. Only where the statement settles some. Reads its parts `input` and `stored`.
 */
export function rewindReviewQueue(sql: Sql): Fragment {
  return sql`
    ), rewound_queue as (
      update review_cursors c set drawn_to = least(c.drawn_to, first.at - interval '1 microsecond') from (
        select i.p as project_id, min(stored.settled_at) as at
        from input i join stored on stored.project_id = i.p and stored.id = i.id where i.simulated_at is not null group by 1
      ) as first
      where c.project_id = first.project_id`;
}
