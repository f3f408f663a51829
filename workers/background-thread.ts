import { parentPort } from 'node:worker_threads';
import { createRuntime } from '../server/runtime';
import { runBackground } from './background';

// The file of a worker's background thread: built next to the worker's own, and imported by
// nothing.
const runtime = createRuntime('worker');
// Any message of the worker asks for the end.
parentPort?.once('message', () => runtime.stopping.abort());
await runBackground(runtime);
await runtime.close();
process.exit(0);
