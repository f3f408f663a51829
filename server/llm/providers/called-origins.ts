import type { Ctx } from '../../platform';
import { baseUrlOf } from './provider';

/** Scheme, host and port of every provider that any project calls, in order. For the operator. */
export async function listCalledOrigins({
  sql,
  env,
}: Pick<Ctx, 'sql' | 'env'>): Promise<readonly string[]> {
  const rows = await sql<{ origin: string }[]>`select distinct origin from providers where enabled`;
  const defaults = env.defaultProviders.map(
    ({ kind, baseUrl }) => new URL(baseUrlOf(kind, baseUrl)).origin,
  );
  return [...new Set([...rows.map(({ origin }) => origin), ...defaults])].toSorted();
}
