import { serveFigureScans } from './held/scan-thread';
import { serveRecords } from './record/record-thread';
import { serveThread } from './thread';

/** Serves the gateway's orders in the thread that calls it: the end of a process's file where it is loaded as a thread. */
export function serveGatewayThread(): void {
  serveThread({ figures: serveFigureScans, records: serveRecords });
}
