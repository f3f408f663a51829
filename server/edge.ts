import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp, createIntake, createNodeIntake } from './http';
import { checkSchema, createRuntime, tellNet } from './runtime';

/** The edge process: the HTTP API on a plain Node server. Keeps no state; any number of them may run. */
async function main(): Promise<void> {
  const runtime = createRuntime('edge');
  const { env, log, sql } = runtime.ctx;
  await checkSchema(sql);
  await tellNet(runtime.ctx);
  const intake = createIntake(runtime);
  const takeIntake = createNodeIntake(intake);
  const listen = getRequestListener(createApp(runtime, '', intake).fetch);
  const server = createServer(
    // A sender that trickles is cut off long before it holds a slot for nothing.
    // An idle connection is kept longer than clients and proxies keep theirs, so that none is closed just as it is used again.
    { noDelay: true, keepAliveTimeout: 65_000, requestTimeout: 30_000, headersTimeout: 6_000, connectionsCheckingInterval: 2_000 },
    (request, response) => {
      if (!takeIntake(request, response)) void listen(request, response);
    },
  );
  server.listen(env.edgePort, env.host, () => {
    log.info({ port: env.edgePort }, 'edge is ready');
    process.send?.({ ready: true });
  });

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
