import type { Ctx } from './context';

/**
 * Resolves when PostgreSQL answers.
 * @throws Error if it does not within `timeoutMs`
 */
export async function pingStorage(ctx: Pick<Ctx, 'sql'>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      ctx.sql`select 1`,
      new Promise((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`PostgreSQL does not answer within ${timeoutMs} ms`)),
          timeoutMs,
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
