import type { Sql } from 'postgres';

/** A bare LISTEN/NOTIFY on connections of their own: the least that a wake-up through PostgreSQL costs. */
export interface BareNotify {
  /** Milliseconds from the client's call to the listener's callback. */
  once(): Promise<number>;
  close(): Promise<void>;
}

export async function openBareNotify(sql: Sql): Promise<BareNotify> {
  let heard: (() => void) | null = null;
  const listening = await sql.listen('bench_bare', () => heard?.());
  return {
    async once() {
      const arrived = new Promise<number>((resolve) => {
        heard = () => resolve(performance.now());
      });
      const began = performance.now();
      await sql`select pg_notify('bench_bare', '')`;
      return (await arrived) - began;
    },
    close: () => listening.unlisten(),
  };
}
