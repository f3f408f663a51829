// A project `demo` and a key for it in the instance that runs on this machine, by the commands of `assay`.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findInstance, root } from '../data-dir.mjs';
import { Failure } from '../failure.mjs';
import { readSettings } from '../settings.mjs';

const slug = 'demo';

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, out: string, err: string }>}
 */
function assay(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', 'assay.mjs'), ...args], { cwd: root }, (error, out, err) =>
      resolve({ code: error === null ? 0 : 1, out, err }),
    );
  });
}

/**
 * @returns {Promise<{ url: string, key: string }>} a failure that says what to do where no instance runs
 */
export async function openProject() {
  const settings = readSettings();
  if (!findInstance(settings.dataDir)?.databaseUrl) {
    throw new Failure(
      'No Assay runs on this machine: start it with npm start, or set ASSAY_URL and ASSAY_API_KEY ' +
        '(assay keys create --project SLUG --scopes ingest,verify,read,write prints a key) for one that runs elsewhere.',
    );
  }
  const made = await assay(['projects', 'create', slug, '--name', 'Demo']);
  if (made.code !== 0 && !made.err.includes('exists already')) throw new Failure(`The project was not made: ${made.err.trim()}`);
  const key = await assay(['keys', 'create', '--project', slug, '--name', 'demo', '--scopes', 'ingest,verify,read,write', '--json']);
  if (key.code !== 0) throw new Failure(`The key was not made: ${key.err.trim()}`);
  return { url: settings.edgeUrl, key: String(JSON.parse(key.out).key) };
}
