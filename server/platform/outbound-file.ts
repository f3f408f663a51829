import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOutboundAllow } from './outbound-policy';

/**
 * Private addresses that may be called all the same, as `host:port`; asked at every call and at
 * every connection.
 */
export interface OutboundAllow {
  has(hostAndPort: string): boolean;
}

/** In the data folder. Its syntax is that of ASSAY_OUTBOUND_ALLOW. */
export const outboundFile = 'outbound-allow';
/** What was read counts for so long, so that a removed file opens nothing after it. */
const keptMs = 1_000;
/**
 * A file that no one has touched for so long counts no more: whoever wrote it was killed before it
 * could remove it.
 */
const freshMs = 60_000;
const bytesMax = 4_096;
/**
 * The file opens doors of this machine alone; others are for the environment, which is read once at
 * the start.
 */
const ownHosts: readonly string[] = ['127.0.0.1', '[::1]'];
const none: ReadonlySet<string> = new Set();

/**
 * What the operator lists: in the environment for as long as the process lives, and for tools of
 * this machine, such as the demo with its scripted model, in a file of the data folder while they
 * run. The file counts only where no one but this process's account or root may have written it,
 * where it was touched within a minute, and for addresses of this machine. What is wrong with it is
 * told once as a warning of the process.
 */
export function createOutboundAllow(
  listed: ReadonlySet<string>,
  dataDir: string | null,
  now: () => number = Date.now,
): OutboundAllow {
  if (dataDir === null) return listed;
  const path = join(/* turbopackIgnore: true */ dataDir, outboundFile);
  let held = none;
  let readAt = Number.NEGATIVE_INFINITY;
  let warned = '';
  const read = (): ReadonlySet<string> => {
    const { entries, problem } = readFile(path, now());
    if (problem !== null && problem !== warned)
      process.emitWarning(`${path} is not heeded: ${problem}`);
    warned = problem ?? '';
    return entries;
  };
  return {
    has(entry) {
      if (listed.has(entry)) return true;
      const at = now();
      if (at - readAt >= keptMs || at < readAt) {
        held = read();
        readAt = at;
      }
      return held.has(entry);
    },
  };
}

/** Its entries; none where it is not there, and none with the reason where it does not count. */
function readFile(
  path: string,
  now: number,
): { readonly entries: ReadonlySet<string>; readonly problem: string | null } {
  const no = (problem: string | null) => ({ entries: none, problem });
  try {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined) return no(null);
    if (!file.isFile()) return no('it is not a plain file');
    const own = process.getuid?.() ?? file.uid;
    if ((file.uid !== own && file.uid !== 0) || (file.mode & 0o022) !== 0)
      return no('others may write it');
    if (file.size > bytesMax) return no(`it has more than ${bytesMax} bytes`);
    if (now - file.mtimeMs > freshMs) return no('it was not updated for a minute');
    const entries = readOutboundAllow(
      readFileSync(/* turbopackIgnore: true */ path, 'utf8').trim(),
    );
    const foreign = [...entries].find((entry) => !ownHosts.includes(entry.replace(/:\d+$/, '')));
    return foreign === undefined
      ? { entries, problem: null }
      : no(`"${foreign}" is not an address of this machine`);
  } catch (error) {
    return no(error instanceof Error ? error.message : 'it cannot be read');
  }
}
