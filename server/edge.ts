import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { createApp } from './http';
import { checkSchema, createRuntime } from './runtime';

/** The edge process: the HTTP API on a plain Node server. Keeps no state; any number of them may run. */
async function main(): Promise<void> {
  const runtime = createRuntime('edge');
  const { env, log, sql } = runtime.ctx;
  await checkSchema(sql);
  const app = createApp(runtime);
  const server = serve(
    {
      fetch: app.fetch,
      port: env.edgePort,
      hostname: env.host,
      serverOptions: { noDelay: true, requestTimeout: 60_000, headersTimeout: 20_000 },
    },
    () => {
      log.info({ port: env.edgePort }, 'edge is ready');
      process.send?.({ ready: true });
    },
  ) as Server;

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    server.close(() => void runtime.close().then(() => process.exit(0)));
    server.closeIdleConnections();
    setTimeout(() => process.exit(0), 9_000).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`edge: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
