// Installs commonly needed packages where sandboxes see them, read-only and without network:
// Python's with apt, below /usr, and Node's with npm, in a folder owned by root. The operator runs
// it as root, and again to update the packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Sandboxes mount the content of this folder at `/node_modules`. Root owns it, so that only the
 * operator adds packages.
 */
const boxPackages = '/var/lib/assay/box-packages';

const debianPackages = (
  'flask flask-sqlalchemy fastapi django djangorestframework httpx requests sqlalchemy pydantic uvicorn jinja2 werkzeug click yaml ' +
  'dateutil multipart pytest pytest-asyncio bs4'
)
  .split(' ')
  .map((name) => `python3-${name}`);

const nodePackages = (
  'express@^5 @types/express@^5 react@^19 react-dom@^19 @types/react@^19 @types/react-dom@^19 @types/node@^24 supertest@^7 ' +
  '@types/supertest cors@^2 @types/cors dotenv axios@^1 zod@^4 uuid lodash@^4 @types/lodash'
).split(' ');

/**
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
function run(program, args, options = {}) {
  process.stdout.write(`${program} ${args.join(' ')}\n`);
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (status !== 0)
    throw new Error(`${program} ended with ${error?.message ?? `exit code ${status}`}`);
}

function installBoxPackages() {
  if (process.getuid?.() !== 0)
    throw new Error('Run it as root: it installs packages of the system.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env });
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages], { env });
  mkdirSync(boxPackages, { recursive: true, mode: 0o755 });
  const manifest = {
    name: 'assay-box-packages',
    private: true,
    description: 'Packages that boxes see at /node_modules',
  };
  writeFileSync(join(boxPackages, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  // Packages must not run scripts during their installation.
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...nodePackages], {
    cwd: boxPackages,
  });
  run('chmod', ['-R', 'a+rX,go-w', boxPackages]);
  process.stdout.write(
    `Boxes see the packages of Python below /usr, and those of Node in ${boxPackages}.\n`,
  );
}

try {
  installBoxPackages();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
