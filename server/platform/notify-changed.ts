import { sql as statement } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { changeChannel, type LiveTopic, writeChangeNotice } from '../domain';
import type { Ctx, Database } from './context';

/**
 * Tells open pages of a change with the transaction that makes it; said twice in one transaction it
 * is told once.
 */
export async function notifyChangedIn(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  ...topics: readonly LiveTopic[]
): Promise<void> {
  await tx.execute(
    statement`select pg_notify(${changeChannel}, ${writeChangeNotice({ projectId, topics })})`,
  );
}

/**
 * Tells open pages of a change that leaves no audit row, from where much happens: intake,
 * assembling, gateway, jobs. Notices of the same process are gathered and sent together at most
 * once a second, outside of any transaction: a notifying commit takes a lock that all others of the
 * database wait for (PostgreSQL, `PreCommit_Notify`), so that a busy path must neither wait for it
 * nor make others wait. The first goes out at once. What is lost with the process, or for a fault
 * of storage, is read again by pages as they connect again. Never throws and never waits.
 */
export function notifyChanged(
  { sql, log }: Pick<Ctx, 'sql'> & Partial<Pick<Ctx, 'log'>>,
  projectId: string,
  topic: LiveTopic,
): void {
  let publisher = publishers.get(sql);
  if (publisher === undefined) {
    publisher = createPublisher((notices) =>
      sendNotices(sql, notices).catch((error: unknown) =>
        log?.debug({ err: error }, 'changes not told to open pages'),
      ),
    );
    publishers.set(sql, publisher);
  }
  publisher(projectId, topic);
}

/** One for each process's pool. */
const publishers = new WeakMap<Sql, Publisher>();

type Publisher = (projectId: string, topic: LiveTopic) => void;

const restMs = 1_000;

/**
 * Hands on what has been gathered, at once after a rest of a second or more; `send` never rejects.
 */
export function createPublisher(send: (notices: readonly string[]) => Promise<unknown>): Publisher {
  const gathered = new Map<string, Set<LiveTopic>>();
  let rests = false;
  function flush(): void {
    if (gathered.size === 0) {
      rests = false;
      return;
    }
    rests = true;
    const notices = [...gathered].map(([projectId, topics]) =>
      writeChangeNotice({ projectId, topics: [...topics] }),
    );
    gathered.clear();
    void send(notices).finally(() => setTimeout(flush, restMs).unref());
  }
  return (projectId, topic) => {
    const topics = gathered.get(projectId) ?? new Set();
    gathered.set(projectId, topics.add(topic));
    if (rests) return;
    rests = true;
    // What the same turn of the event loop says goes out together.
    setImmediate(flush);
  };
}

async function sendNotices(sql: Sql, notices: readonly string[]): Promise<void> {
  await sql`select pg_notify(${changeChannel}, notice) from jsonb_array_elements_text(${JSON.stringify(notices)}::text::jsonb) as n(notice)`;
}
