import { workerData } from 'node:worker_threads';
import { servePool } from '../pool';
import { serveBody } from './proxy/bodies';
import { serveFigureScans } from './verify/scan-thread';
import { serveRecords } from './record/record-thread';
import { serveThread, type GatewayThreadStart } from './thread';

// Entry point of the gateway's threads (thread.ts), bundled next to the edge's and not imported.
const { role, memory } = workerData as GatewayThreadStart;
if (role === 'figures') serveThread(serveFigureScans);
else if (role === 'records') serveThread(serveRecords);
else if (memory !== null) servePool(memory, 0, () => ({ body: serveBody }));
