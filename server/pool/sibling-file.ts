import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The file of a thread, next to that of its process: `thread.js` next to `edge.js`, with the same
 * suffix if there is one. Null if there is none, as in tests.
 */
export function siblingFile(moduleUrl: string, own: string, sibling: string): string | null {
  const file = fileURLToPath(moduleUrl);
  const found = file.replace(new RegExp(`${own}([^/\\\\]*\\.js)$`), `${sibling}$1`);
  return found === file || !existsSync(found) ? null : found;
}
