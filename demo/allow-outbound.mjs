// Lets the instance on this machine call the demo's scripted model: through a file in the data
// folder, which counts only while it is touched (docs/reference/environment.md).
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../scripts/failure.mjs';

/** As `outboundFile` (server/platform/outbound-file.ts) names it. */
const fileName = 'outbound-allow';
const touchedEveryMs = 15_000;
/** A file that was last touched longer ago belongs to a demo that was killed. */
const staleMs = 60_000;
/** Processes check for the file once a second. */
const seenAfterMs = 1_100;

/**
 * @param {string} dataDir
 * @param {string} hostAndPort
 * @returns {Promise<{ close: () => void } | string>} why it could not be opened. `close` is also
 * done when the process ends by itself
 */
export async function allowOutbound(dataDir, hostAndPort) {
  const path = join(dataDir, fileName);
  const old = statSync(path, { throwIfNoEntry: false });
  if (old && Date.now() - old.mtimeMs < staleMs)
    return `${path} is there already: does another demo run?`;
  try {
    rmSync(path, { force: true });
    writeFileSync(path, `${hostAndPort}\n`, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    return `${path} cannot be written (${codeOf(error) ?? 'no reason given'}).`;
  }
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  const touching = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // Removed by a person, whose decision counts.
    }
  }, touchedEveryMs);
  touching.unref();
  await sleep(seenAfterMs);
  return {
    close() {
      clearInterval(touching);
      process.off('exit', remove);
      remove();
    },
  };
}
