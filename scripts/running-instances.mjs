// Notes of the instances that run from this checkout: a command finds one whose data is in a folder
// other than that of its own settings.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInstance, resolveDataDir } from './data-dir.mjs';

/** @typedef {{ dataDir: string, instance: import('./data-dir.mjs').Instance }} RunningInstance */

/** In the data folder that is used without settings. @returns {string} */
const notesFolder = () =>
  join(resolveDataDir({ ...process.env, ASSAY_DATA_DIR: undefined }), 'running');

/**
 * Notes that an instance runs on this data. An instance whose note cannot be written runs without.
 * @param {string} dataDir
 * @param {string} [folder] of the notes
 * @returns {() => void} removes the note
 */
export function noteInstance(dataDir, folder = notesFolder()) {
  const note = join(folder, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(note, dataDir, { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  return () => rmSync(note, { force: true });
}

/**
 * The instance of the settings if it runs. If the settings name no data folder, otherwise all that
 * run from this checkout. Notes of instances that no longer run are removed.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [folder] of the notes
 * @returns {RunningInstance[]} those whose database accepts connections
 */
export function findInstances(env = process.env, folder = notesFolder()) {
  const ownInstance = runningOn(resolveDataDir(env));
  if (ownInstance !== null) return [ownInstance];
  return env.ASSAY_DATA_DIR ? [] : readNotes(folder);
}

/** @param {string} dataDir @returns {RunningInstance | null} */
function runningOn(dataDir) {
  const instance = findInstance(dataDir);
  return instance?.databaseUrl === undefined ? null : { dataDir, instance };
}

/** @param {string} folder @returns {RunningInstance[]} */
function readNotes(folder) {
  return namesIn(folder).flatMap((name) => {
    const note = join(folder, name);
    const dataDir = readFileSync(note, 'utf8');
    if (findInstance(dataDir) === undefined) rmSync(note, { force: true });
    return runningOn(dataDir) ?? [];
  });
}

/** @param {string} folder @returns {string[]} */
function namesIn(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
