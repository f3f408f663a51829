import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// The packages are the repository's own.
const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** @type {import('next').NextConfig} */
export default {
  turbopack: { root },
  outputFileTracingRoot: root,
  poweredByHeader: false,
  compress: false,
};
