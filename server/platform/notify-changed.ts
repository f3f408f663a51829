import { sql as statement } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { changeChannel, type LiveTopic, writeChangeNotice } from '../domain';
import type { Ctx, Database } from './context';

/**
 * Notifies open pages of a change when its transaction commits; repeats within one transaction are
 * sent once.
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
 * Notifies open pages of frequent changes without an audit row: intake, trace assembly, gateway,
 * jobs. Collects the notifications of this process and sends them at most once a second, outside of
 * any transaction. A commit that notifies takes a lock that serialises all such commits of the
 * database (PostgreSQL, `PreCommit_Notify`), so a busy path must neither wait for it nor delay
 * others. The first is sent at once. Notifications lost with the process, or because of a storage
 * fault, are made up for when pages reconnect and reload. Never throws and never waits.
 */
export function notifyChanged(
  { sql, log }: Pick<Ctx, 'sql'> & Partial<Pick<Ctx, 'log'>>,
  projectId: string,
  topic: LiveTopic,
): void {
  let publisher = publishers.get(sql);
  if (publisher === undefined) {
    publisher = createChangePublisher((notices) =>
      sendNotices(sql, notices).catch((error: unknown) =>
        log?.debug({ err: error }, 'open pages not notified of changes'),
      ),
    );
    publishers.set(sql, publisher);
  }
  publisher(projectId, topic);
}

/** One for each connection pool of the process. */
const publishers = new WeakMap<Sql, Publisher>();

type Publisher = (projectId: string, topic: LiveTopic) => void;

const restMs = 1_000;

/**
 * Batches notifications: sends at once after a pause of a second or more, else at the pause's end;
 * `send` never rejects.
 */
export function createChangePublisher(
  send: (notices: readonly string[]) => Promise<unknown>,
): Publisher {
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
    // Changes within one turn of the event loop are sent together.
    setImmediate(flush);
  };
}

async function sendNotices(sql: Sql, notices: readonly string[]): Promise<void> {
  await sql`select pg_notify(${changeChannel}, notice) from jsonb_array_elements_text(${JSON.stringify(notices)}::text::jsonb) as n(notice)`;
}
