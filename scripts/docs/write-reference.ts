// Writes docs/reference/api, docs/reference/checks.md and the client's types of the routes.
// `npm run docs` runs it before building the site.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../data-dir.mjs';
import { apiPages } from './api-reference';
import { checksPage } from './checks-reference';
import { clientRoutes } from './client-routes';

const folder = join(root, 'docs', 'reference', 'api');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of apiPages()) writeFileSync(join(folder, file), text);
writeFileSync(join(root, 'docs', 'reference', 'checks.md'), checksPage());
writeFileSync(join(root, 'sdk', 'client', 'routes.ts'), await clientRoutes());
