import { createHash } from 'node:crypto';
import type { BackendFactory, ConnectionOptions, IQueueBackend } from 'bullmq';

/** The backend of a queue and its consumer. Its opener closes it. */
export interface QueueConnection {
  readonly backend: 'postgres' | 'redis';
  readonly factory: BackendFactory<IQueueBackend>;
  readonly producer: { readonly connection: ConnectionOptions; readonly prefix?: string };
  readonly consumer: { readonly connection: ConnectionOptions; readonly prefix?: string };
  /** False when a command certainly cannot be sent. */
  isUp(): boolean;
  onError(report: (error: Error) => void): void;
  /** Calls back when a lost connection is restored: the queue's contents may be lost. */
  onReturn(call: () => void): void;
  /** Never throws; may never resolve over a dead connection. */
  close(): Promise<void>;
}

const queueSchema = 'assay_queue';
const connectMs = 3_000;
/** Longer than the publish timeout, so that the publish timeout fires first. */
const commandMs = 3_000;

/**
 * Queue and consumer share three connections, plus one that listens. The tables are created on
 * first use, under BullMQ's own lock.
 */
export async function connectPostgres(databaseUrl: string): Promise<QueueConnection> {
  const { PostgresConnection, PostgresQueueBackend } = await import('bullmq');
  const connection = new PostgresConnection({
    connectionString: databaseUrl,
    schema: queueSchema,
    migrate: true,
    application_name: 'assay queue',
    // A job lost in a database crash is published again, so a commit need not wait for the disk.
    options: '-c synchronous_commit=off',
    max: 3,
    connectionTimeoutMillis: connectMs,
    query_timeout: commandMs,
    keepAlive: true,
  });
  const factory: BackendFactory<IQueueBackend> = (name, opts, more) => {
    // The consumer owns the connection: only the owner is notified that LISTEN was lost, and
    // listens again.
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
    // The queue's contents survive with the database.
    onReturn: () => undefined,
    close: () => connection.close().catch(() => undefined),
  };
}

/**
 * The publisher does not buffer commands while the connection is down; the consumer waits for it to
 * return.
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

/** Instances with different databases may share a Redis: each has its own key prefix. */
function databaseMark(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  return createHash('sha256').update(`${url.host}${url.pathname}`).digest('hex').slice(0, 12);
}
