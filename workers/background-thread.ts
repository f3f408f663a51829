import { parentPort } from 'node:worker_threads';
import { createRuntime } from '../server/runtime';
import { runBackground } from './background';

// Entry file of a worker's background thread: built next to the worker's own file, imported
// nowhere.
const runtime = createRuntime('worker');
// Any message from the worker is a request to stop.
parentPort?.once('message', () => runtime.stopping.abort());
await runBackground(runtime);
await runtime.close();
process.exit(0);
