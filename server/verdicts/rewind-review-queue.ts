import type { Fragment, Sql } from 'postgres';

/**
 * A common table expression of the settling statement; the text before it leaves a parenthesis
 * open. It moves the cursor of the review queue back, so that the queue reads simulated verdicts:
 * the cursor advances by settling time, and simulated verdicts settle at times before it. Used only
 * if the statement settles simulated verdicts. Reads `input` and `stored`.
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
