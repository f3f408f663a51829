// Creates a simulated project and a key for it in the instance on this machine, with the commands
// of `assay`.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findInstance, root } from '../scripts/data-dir.mjs';
import { Failure } from '../scripts/failure.mjs';
import { readSettings } from '../scripts/settings.mjs';

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, out: string, err: string }>}
 */
function assay(args) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'scripts', 'assay.mjs'), ...args],
      { cwd: root },
      (error, out, err) => resolve({ code: error === null ? 0 : 1, out, err }),
    );
  });
}

/**
 * @param {string} slug
 * @returns {Promise<{ url: string, key: string, simulated: boolean, dataDir: string }>} a failure
 * that says what to do where no instance runs
 */
export async function openProject(slug) {
  const settings = readSettings();
  if (!findInstance(settings.dataDir)?.databaseUrl) {
    throw new Failure(
      'No Assay runs on this machine: start it with npm start, or set ASSAY_URL and ASSAY_API_KEY ' +
        '(assay keys create --project SLUG --scopes ingest,verify,read,write,gateway,impersonate prints a key) for one that runs elsewhere.',
    );
  }
  const made = await assay([
    'projects',
    'create',
    slug,
    '--name',
    slug === 'demo' ? 'Demo' : slug,
    '--simulated',
  ]);
  if (made.code !== 0 && !made.err.includes('exists already'))
    throw new Failure(`The project was not made: ${made.err.trim()}`);
  const scopes = 'ingest,verify,read,write,gateway,impersonate';
  const key = await assay([
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
      `The project "${slug}" is not simulated, so nothing can be dated back in it: name another, npm run demo -- --project demo-weeks`,
    );
  }
  return { url: settings.edgeUrl, key: String(text), simulated, dataDir: settings.dataDir };
}
