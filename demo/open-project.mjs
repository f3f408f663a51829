// Creates a simulated project and a key for it in the instance on this machine, with the commands
// of `assay`.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/data-dir.mjs';
import { Failure } from '../scripts/failure.mjs';
import { findInstances } from '../scripts/running-instances.mjs';

/**
 * @param {string} dataDir of the instance
 * @param {string[]} args
 * @returns {Promise<{ code: number, out: string, err: string }>}
 */
function assay(dataDir, args) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'scripts', 'assay.mjs'), ...args],
      { cwd: root, env: { ...process.env, ASSAY_DATA_DIR: dataDir } },
      (error, out, err) => resolve({ code: error === null ? 0 : 1, out, err }),
    );
  });
}

/**
 * @param {string} slug
 * @returns {Promise<{ url: string, key: string, simulated: boolean, dataDir: string }>} a failure
 * with instructions if no instance runs, or more than one
 */
export async function openProject(slug) {
  const { dataDir, url } = chooseInstance(findInstances());
  const created = await assay(dataDir, [
    'projects',
    'create',
    slug,
    '--name',
    slug === 'demo' ? 'Demo' : slug,
    '--simulated',
  ]);
  if (created.code !== 0 && !created.err.includes('exists already'))
    throw new Failure(`The project was not made: ${created.err.trim()}`);
  const scopes = 'ingest,verify,read,write,gateway,impersonate';
  const key = await assay(dataDir, [
    'keys',
    'create',
    '--project',
    slug,
    '--name',
    'demo',
    '--scopes',
    scopes,
    '--json',
  ]);
  if (key.code !== 0) throw new Failure(`The key was not made: ${key.err.trim()}`);
  const { key: text, simulated } = JSON.parse(key.out);
  if (simulated !== true) {
    throw new Failure(
      `The project "${slug}" is not simulated, so nothing can be dated back in it: name another, assay demo --project demo-weeks`,
    );
  }
  return { url, key: String(text), simulated, dataDir };
}

/**
 * @internal For tests.
 * @param {readonly import('../scripts/running-instances.mjs').RunningInstance[]} found
 * @returns {{ dataDir: string, url: string }}
 */
export function chooseInstance(found) {
  const [only, ...others] = found;
  if (only?.instance.edgeUrl === undefined)
    throw new Failure(
      'No Assay runs on this machine: start it with npm start, or set ASSAY_URL and ASSAY_API_KEY ' +
        '(assay keys create --project SLUG --scopes ingest,verify,read,write,gateway,impersonate prints a key) for one on another machine.',
    );
  if (others.length > 0)
    throw new Failure(
      `Several instances run here; set ASSAY_DATA_DIR to the data folder of one: ${found.map(({ dataDir }) => dataDir).join(', ')}`,
    );
  return { dataDir: only.dataDir, url: only.instance.edgeUrl };
}
