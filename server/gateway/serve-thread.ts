import { serveFigureScans } from './held/scan-thread';
import { serveRecords } from './record/record-thread';
import { serveThread } from './thread';

// The file of the gateway's threads (thread.ts): built beside the edge's, and imported by nothing.
serveThread({ figures: serveFigureScans, records: serveRecords });
