import { createHash } from 'node:crypto';
import type { BackendFactory, ConnectionOptions, IQueueBackend } from 'bullmq';

/** What a queue and its consumer are on, opened once for both and closed by whoever opened it. */
export interface QueueConnection {
  readonly backend: 'postgres' | 'redis';
  readonly factory: BackendFactory<IQueueBackend>;
  readonly producer: { readonly connection: ConnectionOptions; readonly prefix?: string };
  readonly consumer: { readonly connection: ConnectionOptions; readonly prefix?: string };
  /** False when it is known already that a command cannot be sent. */
  isUp(): boolean;
  onError(report: (error: Error) => void): void;
  /**
   * Calls when the connection is there again after it was lost: what the queue held may be gone.
   */
  onReturn(call: () => void): void;
  /** Never throws; over a dead link it may never end. */
  close(): Promise<void>;
}

const queueSchema = 'assay_queue';
const connectMs = 3_000;
/**
 * Longer than the deadline of a publication, which so is the first to say that nothing was heard.
 */
const commandMs = 3_000;

/**
 * Queue and consumer share three connections, and one more that listens. The tables are made on the
 * first use, under BullMQ's own lock.
 */
export async function connectPostgres(databaseUrl: string): Promise<QueueConnection> {
  const { PostgresConnection, PostgresQueueBackend } = await import('bullmq');
  const connection = new PostgresConnection({
    connectionString: databaseUrl,
    schema: queueSchema,
    migrate: true,
    application_name: 'assay queue',
    // Jobs are hints: one that is lost with the database's memory is published again, so nothing
    // waits for the disk.
    options: '-c synchronous_commit=off',
    max: 3,
    connectionTimeoutMillis: connectMs,
    query_timeout: commandMs,
    keepAlive: true,
  });
  const factory: BackendFactory<IQueueBackend> = (name, opts, more) => {
    // The consumer owns the connection: only an owner hears that its LISTEN was lost and listens
    // again.
    const isConsumer = more?.withBlockingConnection === true;
    return new PostgresQueueBackend(connection, name, { ...opts, connection: {} }, isConsumer);
  };
  return {
    backend: 'postgres',
    factory,
    producer: { connection: {} },
    consumer: { connection: {} },
    isUp: () => true,
    onError: (report) => void connection.on('error', report),
    // What it holds survives with the database.
    onReturn: () => undefined,
    close: () => connection.close().catch(() => undefined),
  };
}

/**
 * The publisher never queues commands while the connection is away; the consumer waits for it to
 * come back.
 */
export async function connectRedis(
  redisUrl: string,
  databaseUrl: string,
): Promise<QueueConnection> {
  const [{ createRedisBackend }, { Redis }] = await Promise.all([
    import('bullmq'),
    import('ioredis'),
  ]);
  const common = {
    connectTimeout: connectMs,
    keepAlive: 5_000,
    retryStrategy: (tries: number) => Math.min(1_000, 50 * 2 ** Math.min(tries, 6)),
  };
  const publisher = new Redis(redisUrl, {
    ...common,
    enableOfflineQueue: false,
    commandTimeout: commandMs,
    maxRetriesPerRequest: 1,
  });
  const consumer = new Redis(redisUrl, { ...common, maxRetriesPerRequest: null });
  const prefix = `assay:${databaseMark(databaseUrl)}`;
  return {
    backend: 'redis',
    factory: createRedisBackend,
    producer: { connection: publisher, prefix },
    consumer: { connection: consumer, prefix },
    isUp: () => publisher.status === 'ready',
    onError(report) {
      publisher.on('error', report);
      consumer.on('error', report);
    },
    onReturn(call) {
      let wasUp = false;
      publisher.on('ready', () => {
        if (wasUp) call();
        wasUp = true;
      });
    },
    close() {
      publisher.disconnect();
      consumer.disconnect();
      return Promise.resolve();
    },
  };
}

/** Instances with other databases may share a Redis: each has keys of its own. */
function databaseMark(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  return createHash('sha256').update(`${url.host}${url.pathname}`).digest('hex').slice(0, 12);
}
