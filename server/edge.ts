import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { watchAlerts } from './alerts';
import {
  openGateway,
  type OpenGateway,
  type Senders,
  defaultSenderLimits,
  watchSenders,
} from './gateway';
import {
  answerUnreadable,
  createApp,
  createIntake,
  createNodeIntake,
  describedText,
} from './api/http';
import { dataHeaders } from './platform';
import { siblingFile } from './pool';
import { createRuntime, type Runtime, logRowSecurity, waitForSchema } from './runtime';

/**
 * Milliseconds after SIGTERM that the API's requests and the gateway's calls have to finish.
 */
const API_DRAIN_MS = 9_000;
const GATEWAY_DRAIN_MS = 30_000;
/** Time to report calls that are cut off, and time to finish writes after the last response. */
const CUT_MS = 1000;
const CLOSE_MS = 8_000;
const READY_MS = 2000;

/**
 * The edge process: the HTTP API and the gateway on a plain Node server. It listens at once: the
 * gateway serves from its cache while PostgreSQL is unavailable, the API once the schema is
 * known to be this release's. Any number of edge processes may run.
 */
async function main(): Promise<void> {
  const runtime = createRuntime('edge', siblingFile(import.meta.url, 'edge', 'thread'));
  const { env, log } = runtime.ctx;
  const gateway = await openGateway(runtime, import.meta.url);
  const intake = createIntake(runtime);
  const handleIntake = createNodeIntake(intake);
  const listen = getRequestListener(createApp(runtime, '', intake).fetch, {
    errorHandler: (error) => answerUnreadable(runtime.ctx, error),
  });
  // Before it serves: no request then waits for it.
  describedText('');
  let schemaIsKnown = false;
  const server = createServer(
    // This limits the time for headers; `watchSenders` limits bodies, since a steady upload
    // to a model may take its time. Idle connections are kept open longer than clients and proxies
    // keep theirs, so that none is closed just as it is reused.
    {
      noDelay: true,
      keepAliveTimeout: 65_000,
      requestTimeout: 0,
      headersTimeout: 6_000,
      connectionsCheckingInterval: 2_000,
    },
    (request, response) => {
      if (gateway.handle(request, response)) return;
      if (!schemaIsKnown && request.url !== '/healthz') answerNotYet(request, response);
      else if (!handleIntake(request, response)) void listen(request, response);
    },
  );
  const senders = watchSenders(server, {
    ...defaultSenderLimits,
    isUpload: (target) => target.startsWith('/gateway/'),
  });
  const known = waitForSchema(
    runtime,
    'the API answers 503 until it returns; the gateway still serves',
  ).then(() => {
    schemaIsKnown = true;
  });
  server.listen(env.edgePort, env.host, () => {
    // The process that started this one may send requests at once, so readiness waits a moment for
    // the API, but not for as long as PostgreSQL is unavailable.
    const isAnother = known.then(
      () => false,
      () => true,
    );
    void Promise.race([isAnother, delay(READY_MS, false)]).then((ends) => {
      if (ends) return;
      log.info({ port: env.edgePort }, 'edge is ready');
      process.send?.({ ready: true });
    });
  });
  stopOnSignal({ runtime, server, gateway, senders });
  await known;
  await logRowSecurity(runtime.ctx);
  await watchAlerts(runtime.ctx, {
    signal: runtime.stopping.signal,
    isSubstitute: true,
    pollMs: 15_000,
  });
}

function answerNotYet(request: IncomingMessage, response: ServerResponse): void {
  const ready = request.url === '/readyz' ? { status: 'not ready', postgres: 'away' } : null;
  const body = JSON.stringify(
    ready ?? {
      error: {
        code: 'unavailable',
        message: 'Storage is not available at the moment; send the request again.',
        details: [],
      },
    },
  );
  response.writeHead(503, {
    'content-type': 'application/json',
    ...dataHeaders,
    'content-length': Buffer.byteLength(body),
    'retry-after': '1',
  });
  response.end(body);
}

interface Stoppable {
  readonly runtime: Runtime;
  readonly server: Server;
  readonly gateway: OpenGateway;
  readonly senders: Senders;
}

/**
 * Stops the process on a signal: it accepts no new connections, lets open requests finish, and
 * stores pending writes.
 */
function stopOnSignal(running: Stoppable): void {
  const { runtime, server } = running;
  const stop = (): void => {
    if (runtime.stopping.signal.aborted) return;
    runtime.stopping.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    running.senders.closeBehind();
    // Otherwise a connection whose last response is sent after this point would stay open for
    // another request.
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    server.closeIdleConnections();
    void endCalls(running, closed).finally(() => {
      clearInterval(idle);
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
}

async function endCalls(
  { runtime, server, gateway, senders }: Stoppable,
  closed: Promise<void>,
): Promise<void> {
  const from = performance.now();
  await Promise.race([closed, delay(API_DRAIN_MS)]);
  // Last, since a keep-alive connection may deliver calls until now.
  await Promise.race([gateway.drain(), delay(GATEWAY_DRAIN_MS - (performance.now() - from))]);
  server.closeAllConnections();
  senders.stop();
  // A call that was cut off reaches the recorder when its connection closes, one turn of the event
  // loop later.
  await Promise.race([gateway.drain(), delay(CUT_MS)]);
  await Promise.race([gateway.close().then(() => runtime.close()), delay(CLOSE_MS)]);
}

main().catch((error: unknown) => {
  process.stderr.write(`edge: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
