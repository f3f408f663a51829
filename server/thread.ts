import { workerData } from 'node:worker_threads';
import { requestServices } from './api/http';
import { servePool } from './pool';
import { createThreadRuntime, type ThreadStart } from './runtime';
import { writerServices } from './ingest';
import { workServices } from './verdicts';

// Entry file of the pool's threads: built next to those of the processes, and imported nowhere.
const start = workerData as ThreadStart;
servePool(start.memory, start.niceness, (budget, note) => {
  const runtime = createThreadRuntime(start, budget);
  return {
    ...requestServices(runtime, budget),
    ...workServices(runtime, budget, note),
    ...writerServices(runtime),
  };
});
