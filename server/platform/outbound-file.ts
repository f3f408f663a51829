import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOutboundAllow } from './outbound-policy';

/**
 * Private addresses that may be called anyway, as `host:port`; checked for every call and every
 * connection.
 */
export interface OutboundAllow {
  has(hostAndPort: string): boolean;
}

/** A file in the data folder, with the syntax of ASSAY_OUTBOUND_ALLOW. */
export const outboundFile = 'outbound-allow';
/** How long its content is cached, and so the longest that a removed file remains in effect. */
const keptMs = 1_000;
/**
 * A file untouched for longer than this is ignored: its writer was killed before it could remove
 * it.
 */
const freshMs = 60_000;
const bytesMax = 4_096;
/**
 * The file may only list addresses of this machine; others belong in the environment, which is read
 * once at startup.
 */
const ownHosts: readonly string[] = ['127.0.0.1', '[::1]'];
const none: ReadonlySet<string> = new Set();

/**
 * The addresses that the operator allows: in the environment for the lifetime of the process, and,
 * for local tools that run temporarily, such as the demo with its scripted model, in a file of the
 * data folder. The file counts only if no account but this process's or root could have written it,
 * if it was touched within a minute, and for addresses of this machine. A fault in it is logged
 * once as a process warning.
 */
export function createOutboundAllow(
  listed: ReadonlySet<string>,
  dataDir: string | null,
  now: () => number = Date.now,
): OutboundAllow {
  if (dataDir === null) return listed;
  const path = join(/* turbopackIgnore: true */ dataDir, outboundFile);
  let cached = none;
  let readAt = Number.NEGATIVE_INFINITY;
  let warned = '';
  const read = (): ReadonlySet<string> => {
    const { entries, problem } = readFile(path, now());
    if (problem !== null && problem !== warned)
      process.emitWarning(`${path} is ignored: ${problem}`);
    warned = problem ?? '';
    return entries;
  };
  return {
    has(entry) {
      if (listed.has(entry)) return true;
      const at = now();
      if (at - readAt >= keptMs || at < readAt) {
        cached = read();
        readAt = at;
      }
      return cached.has(entry);
    },
  };
}

/** The file's entries: none if it does not exist; none, with the reason, if it is ignored. */
function readFile(
  path: string,
  now: number,
): { readonly entries: ReadonlySet<string>; readonly problem: string | null } {
  const no = (problem: string | null) => ({ entries: none, problem });
  try {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined) return no(null);
    if (!file.isFile()) return no('it is not a plain file');
    const ownUid = process.getuid?.() ?? file.uid;
    if ((file.uid !== ownUid && file.uid !== 0) || (file.mode & 0o022) !== 0)
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
