import { statfs } from 'node:fs/promises';
import { type Diagnosis, failed, messageOf, ok, warning } from './diagnosis';

const gib = 1024 ** 3;
/** Below it PostgreSQL may be unable to write its log within minutes. */
const minFreeBytes = gib;
const minFreeShare = 0.1;

/** Free space of the file system with the data folder; null if this process has none. */
export async function checkDisk(
  dataDir: string | null,
  statOf: typeof statfs = statfs,
): Promise<readonly Diagnosis[]> {
  if (dataDir === null) return [];
  try {
    const { bavail, blocks, bsize } = await statOf(dataDir);
    const [free, total] = [bavail * bsize, blocks * bsize];
    const found = `${(free / gib).toFixed(1)} of ${(total / gib).toFixed(1)} GiB are free for ${dataDir}`;
    const fix = 'Free space, or keep data for a shorter time (Settings, Data).';
    if (free < minFreeBytes) return [failed('disk', found, fix)];
    return [free < minFreeShare * total ? warning('disk', found, fix) : ok('disk', found)];
  } catch (error) {
    const fix = 'Check ASSAY_DATA_DIR, and that this user may read it.';
    return [failed('disk', `${dataDir}: ${messageOf(error)}`, fix)];
  }
}
