// The telemetry server of Genkit with its own stores, which write one file per trace. Started by a
// bench, with a folder for its files.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/postgres.mjs';

// Installed next to this file by a bench; checks of the whole tree must work without it.
const load = createRequire(import.meta.url);
const { LocalFileLogStore, LocalFileTraceStore, startTelemetryServer } = load(
  '@genkit-ai/telemetry-server',
);
const folder = process.argv[2] ?? '';
const port = await findFreePort();
process.on('disconnect', () => process.exit(0));
await startTelemetryServer({
  port,
  traceStore: new LocalFileTraceStore({
    storeRoot: join(folder, 'traces'),
    indexRoot: join(folder, 'index'),
  }),
  logStore: new LocalFileLogStore({
    storeRoot: join(folder, 'logs'),
    indexRoot: join(folder, 'logs-index'),
  }),
});
// It does not report when it listens.
while (
  !(await fetch(`http://127.0.0.1:${port}/api/__health`).then(
    (answer) => answer.ok,
    () => false,
  ))
);
process.send?.({ port });
