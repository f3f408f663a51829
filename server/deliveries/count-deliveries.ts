import type { Ctx } from '../platform';

/** Counts waiting and dead deliveries of the whole installation, for the operator. */
export async function countDeliveries({
  sql,
}: Pick<Ctx, 'sql'>): Promise<{ readonly waiting: number; readonly dead: number }> {
  const [row] = await sql<{ waiting: number; dead: number }[]>`
    select (select count(*)::int from deliveries where state = 'waiting') as waiting,
      (select count(*)::int from deliveries where state = 'dead') as dead`;
  return row ?? { waiting: 0, dead: 0 };
}
