// Passes content to a box in unnamed files (open(2), O_TMPFILE): a crash leaves nothing behind, and
// without a path no other process can open or replace them.
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * `__O_TMPFILE | O_DIRECTORY`; Node has no constant for the first. Only O_DIRECTORY differs between
 * architectures.
 */
const unnamed = 0o20_000_000 | constants.O_DIRECTORY;

/**
 * @returns a descriptor whose reader starts at the first byte; the caller closes it
 * @throws Error if no folder supports unnamed files
 */
export function openUnnamed(content: Uint8Array): number {
  const fd = openAnywhere();
  try {
    let written = 0;
    // By position, so that the position for reading does not move.
    while (written < content.length)
      written += writeSync(fd, content, written, content.length - written, written);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openAnywhere(): number {
  try {
    return openSync('/dev/shm', constants.O_RDWR | unnamed, 0o600);
  } catch {
    return openSync(tmpdir(), constants.O_RDWR | unnamed, 0o600);
  }
}
