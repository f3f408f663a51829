// Requests to the box launcher and its replies: fixed-size numbers, and nothing that a tenant
// wrote.

export const requestBytes = 12;
export const answerBytes = 1;

/** Bits of an answer. */
export const hasUser = 1;
export const hasCgroup = 2;

const mib = 1024 * 1024;

/** @param pid of the process that waits at its gate; 0 only queries the launcher's capabilities */
export function requestOf(pid: number, slot: number, memoryBytes: number): Buffer {
  const request = Buffer.alloc(requestBytes);
  request.writeUInt32LE(pid, 0);
  request.writeUInt32LE(slot, 4);
  request.writeUInt32LE(Math.max(1, Math.ceil(memoryBytes / mib)), 8);
  return request;
}

export interface LauncherRequest {
  readonly pid: number;
  readonly slot: number;
  readonly memoryBytes: number;
}

/** @param bytes exactly `requestBytes` of them */
export function readRequest(bytes: Buffer): LauncherRequest {
  return {
    pid: bytes.readUInt32LE(0),
    slot: bytes.readUInt32LE(4),
    memoryBytes: bytes.readUInt32LE(8) * mib,
  };
}
