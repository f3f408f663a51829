import type { Sql } from 'postgres';

/**
 * A bare LISTEN/NOTIFY on separate connections: one small row stored, with the notification in the
 * same statement. This is the minimum cost of a wake-up about durable data; a notification alone
 * writes nothing and waits for no disk.
 */
export interface BareNotify {
  /** Milliseconds from the client's call to the listener's callback. */
  once(): Promise<number>;
  close(): Promise<void>;
}

export async function openBareNotify(sql: Sql): Promise<BareNotify> {
  let onNotice: (() => void) | null = null;
  await sql`create table if not exists bench_notice (at timestamptz not null)`;
  const listening = await sql.listen('bench_notice', () => onNotice?.());
  return {
    async once() {
      const arrived = new Promise<number>((resolve) => {
        onNotice = () => resolve(performance.now());
      });
      const began = performance.now();
      await sql`with stored as (insert into bench_notice values (now()) returning 1) select pg_notify('bench_notice', '') from stored`;
      return (await arrived) - began;
    },
    close: () => listening.unlisten(),
  };
}
