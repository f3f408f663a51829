// Writes docs/reference/api and docs/reference/checks.md. `npm run docs` runs it before building
// the site.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../data-dir.mjs';
import { apiPages } from './api-reference';
import { checksPage } from './checks-reference';

const folder = join(root, 'docs', 'reference', 'api');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of apiPages()) writeFileSync(join(folder, file), text);
writeFileSync(join(root, 'docs', 'reference', 'checks.md'), checksPage());
