import type { CodeFile } from '../gate';
import { findProgram } from '../tools';
import { type CompileGate, firstFault } from './compile-gate';

const env = { CARGO_HOME: '/tmp/cargo', CARGO_TARGET_DIR: '/tmp/target', CARGO_NET_OFFLINE: 'true', RUSTUP_HOME: '/tmp/rustup' };

const missingCrate = 'The code needs crates that a box without network cannot fetch.';
const faults = [
  [
    /no matching package (named|found)|failed to (get|fetch|download) |unable to update registry|attempting to make an HTTP request/,
    missingCrate,
  ],
  [
    /feature `edition\d+` is required|is not a supported edition|requires rustc \d|lock file version .* requires/,
    'The code asks for a newer Rust than the one that is installed.',
  ],
  [/linker `cc` not found/, 'There is no linker on this machine.'],
] as const;
const unknownCrate =
  /use of undeclared crate or module|maybe a missing crate|can't find crate for|unresolved import `(?!crate|self|super|std|core|alloc)/;

/** Folders whose settings would put other programs in the compiler's place. */
function steers(path: string): boolean {
  return /(^|\/)\.cargo\/|(^|\/)rust-toolchain(\.toml)?$/.test(path);
}

/** Cargo compiles packages only; files without a manifest get one that names each of them. */
function withManifest(files: readonly CodeFile[]): readonly CodeFile[] {
  const kept = files.filter(({ path }) => !steers(path));
  if (kept.some(({ path }) => path === 'Cargo.toml')) return kept;
  const roots = kept.filter(({ path }) => path.endsWith('.rs') && isRoot(path, kept));
  const targets = roots.map(({ path, content }, index) => {
    const kind = index === 0 && !/\bfn\s+main\s*\(/.test(content) ? '[lib]' : '[[bin]]';
    return `${kind}\nname = "file${index}"\npath = ${JSON.stringify(path)}\n`;
  });
  const manifest = `[package]\nname = "box"\nversion = "0.1.0"\nedition = "2021"\nautobins = false\nautotests = false\n\n${targets.join('\n')}`;
  return [...kept, { path: 'Cargo.toml', content: manifest }];
}

/** A file that no other file takes in by `mod`. */
function isRoot(path: string, files: readonly CodeFile[]): boolean {
  const name = /([A-Za-z0-9_]+)\.rs$/.exec(path)?.[1];
  const own = name === 'mod' ? /([A-Za-z0-9_]+)\/mod\.rs$/.exec(path)?.[1] : name;
  return own !== undefined && !files.some((other) => other.path !== path && new RegExp(`\\bmod\\s+${own}\\s*;`).test(other.content));
}

export const rustGates: readonly CompileGate[] = [
  {
    language: 'rust',
    command: 'cargo check',
    find: () => findProgram('cargo'),
    missing: 'Rust is not installed on this machine where a box can read it (below /usr).',
    prepare: (files) => ({ args: ['check', '--offline', '--color', 'never'], files: withManifest(files), env }),
    environmentFault(output, files) {
      const isMadeUp = !files.some(({ path }) => path === 'Cargo.toml');
      return firstFault(output, faults) ?? (isMadeUp && unknownCrate.test(output) ? missingCrate : null);
    },
  },
];
