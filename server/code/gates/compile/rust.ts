import type { GateFile } from '../gate';
import { findProgram, type Tool } from '../tools';
import {
  type CompileGate,
  diagnosticsOf,
  type LeftOut,
  onlyEnvironmental,
  otherEndings,
} from './compile-gate';
import { neverCompiled } from './rust-conditions';
import { asksFor2024, newerRust, unstableLines } from './rust-versions';

const env = {
  CARGO_HOME: '/tmp/cargo',
  CARGO_TARGET_DIR: '/tmp/target',
  CARGO_NET_OFFLINE: 'true',
  RUSTUP_HOME: '/tmp/rustup',
};

const missingCrate = 'The code needs crates that a box without network cannot fetch.';
const olderRust = 'The code requires a newer Rust than the installed one.';
const noLinker = 'There is no linker on this machine.';
const diagnostic = /^error(?:\[E\d{4}\])?: /;
const summary = /^error: (?:aborting due to |could not compile |build failed)/;

/**
 * Cargo and the compiler have separate versions; the compiler's decides which features the code may
 * use.
 */
function findRust(): Tool | null {
  const [cargo, rustc] = [findProgram('cargo'), findProgram('rustc')];
  return cargo === null
    ? null
    : { ...cargo, ...(rustc === null ? {} : { compiler: rustc.program }) };
}

/** Folders whose settings would replace the compiler by other programs. */
function steers(path: string): boolean {
  return /(^|\/)\.cargo\/|(^|\/)rust-toolchain(\.toml)?$/.test(path);
}

/** Cargo compiles only packages; files without a manifest get one that names each of them. */
function withManifest(files: readonly GateFile[]): readonly GateFile[] {
  const packageFiles = files.filter(({ path }) => !steers(path));
  if (packageFiles.some(({ path }) => path === 'Cargo.toml')) return packageFiles;
  const roots = packageFiles.filter(
    ({ path }) => path.endsWith('.rs') && isRoot(path, packageFiles),
  );
  const targets = roots.map(({ path, content }, index) => {
    const kind = index === 0 && !/\bfn\s+main\s*\(/.test(content) ? '[lib]' : '[[bin]]';
    return `${kind}\nname = "file${index}"\npath = ${JSON.stringify(path)}\n`;
  });
  const edition = roots.some(({ content }) => asksFor2024(content)) ? '2024' : '2021';
  const manifest = `[package]\nname = "box"\nversion = "0.1.0"\nedition = "${edition}"\nautobins = false\nautotests = false\n\n${targets.join('\n')}`;
  return [...packageFiles, { path: 'Cargo.toml', content: manifest }];
}

/** A file that no other file includes by `mod`. */
function isRoot(path: string, files: readonly GateFile[]): boolean {
  const name = /([A-Za-z0-9_]+)\.rs$/.exec(path)?.[1];
  const own = name === 'mod' ? /([A-Za-z0-9_]+)\/mod\.rs$/.exec(path)?.[1] : name;
  return (
    own !== undefined &&
    !files.some(
      (other) => other.path !== path && new RegExp(`\\bmod\\s+${own}\\s*;`).test(other.content),
    )
  );
}

function explain(
  text: string,
  files: readonly GateFile[],
  unstableAt: ReadonlySet<string>,
): string | null {
  const line = text.split('\n')[0] ?? '';
  if (/^error: (?:no matching package|failed to |unable to |attempting to )/.test(line))
    return explainFetch(text);
  if (
    /^error: lock file version .* requires|^error: package `[^`]*` cannot be built because it requires rustc|^error: rustc [\w.-]+ is not supported by the following packages?:/.test(
      line,
    )
  )
    return olderRust;
  if (line.startsWith('error: linker `cc` not found')) return noLinker;
  const newer = newerRust(text, unstableAt, files);
  if (newer !== null) return newer;
  const hasGeneratedManifest = !files.some(({ path }) => path === 'Cargo.toml');
  const name = crateOf(line);
  if (hasGeneratedManifest && name !== null) return isOwn(name, files) ? null : missingCrate;
  // Errors that follow from a name of a missing crate.
  const follows =
    /^error: cannot (?:find (?:derive macro|attribute|macro)|determine resolution for the [a-z ]*) `(\w+)`/.exec(
      line,
    )?.[1];
  if (!hasGeneratedManifest) return null;
  if (follows !== undefined && isImported(follows, files)) return missingCrate;
  return takesForeign(files) && followsFromCrate.test(line) ? missingCrate : null;
}

/**
 * Items that macros, attributes and traits of a missing crate would have generated: attributes next
 * to a derive, functions made asynchronous by an attribute, methods. Type mismatches never count.
 */
const followsFromCrate = new RegExp(
  [
    'error: cannot find attribute `\\w+` in this scope',
    'error\\[E0752\\]: `main` function is not allowed to be `async`',
    'error\\[E0121\\]: the placeholder `_` is not allowed',
    'error\\[E0599\\]: no (?:method|function or associated item|variant or associated item) named ',
    'error\\[E0277\\]: (?:the trait bound |`\\?` couldn)',
  ]
    .map((form) => `^${form}`)
    .join('|'),
);

function takesForeign(files: readonly GateFile[]): boolean {
  return files.some(({ content }) =>
    [...content.matchAll(/^\s*(?:pub\s+)?(?:use\s+(?:::)?|extern\s+crate\s+)(\w+)/gm)].some(
      ([, name = '']) => !isOwn(name, files),
    ),
  );
}

/**
 * The lines below Cargo's message name the source that it queried: a registry or a server, never a
 * folder of the code.
 */
function explainFetch(text: string): string | null {
  if (
    /feature `edition\d+` is required|is not a supported edition|requires rustc \d|is older than the `\d+` edition|`resolver` setting `[3-9]` is not valid/.test(
      text,
    )
  )
    return olderRust;
  const [, supported = '', edition] =
    /supported edition values are ([^\n]*), but `(\d{4})` is unknown/.exec(text) ?? [];
  if (edition !== undefined)
    return (supported.match(/\d{4}/g) ?? []).every((known) => known < edition) ? olderRust : null;
  return /registry `|https?:\/\/|ssh:\/\//.test(text) &&
    !/Unable to update (?:\/|file:)/i.test(text)
    ? missingCrate
    : null;
}

function crateOf(line: string): string | null {
  const found =
    /^error\[E0432\]: unresolved import `(\w+)/.exec(line) ??
    /^error\[E0433\]: failed to resolve: (?:use of undeclared (?:crate or module|type)|maybe a missing crate) `(\w+)`/.exec(
      line,
    ) ??
    /^error\[E0433\]: cannot find module or crate `(\w+)`/.exec(line) ??
    /^error\[E0463\]: can't find crate for `(\w+)`/.exec(line);
  return found?.[1] ?? null;
}

/** Names that no external crate has: those of the language, and of the author's own modules. */
function isOwn(name: string, files: readonly GateFile[]): boolean {
  if (['crate', 'self', 'super', 'std', 'core', 'alloc'].includes(name) || /^[A-Z]/.test(name))
    return true;
  return files.some(
    ({ path, content }) =>
      path.endsWith(`/${name}.rs`) ||
      path === `${name}.rs` ||
      new RegExp(`\\bmod\\s+${name}\\b`).test(content),
  );
}

/** Whether a `use` of an external crate imports this name. */
function isImported(name: string, files: readonly GateFile[]): boolean {
  return files.some(({ content }) =>
    [
      ...content.matchAll(/\buse\s+(\w+)\s*::([^;]*);|#\[macro_use\]\s*extern\s+crate\s+(\w+)/g),
    ].some(
      ([, root = '', names = '', extern]) =>
        extern !== undefined ||
        (!isOwn(root, files) && new RegExp(`\\b${name}\\b|\\*`).test(names)),
    ),
  );
}

/**
 * @param report dep-info of each crate (`make` rules): a line `path:` for each file that the
 * compiler read
 */
function leftOut(report: string, files: readonly GateFile[]): readonly LeftOut[] {
  const compiled = new Set(
    [...report.matchAll(/^((?:[^\s\\:]|\\.)+):$/gm)].map(([, path = '']) =>
      path.replaceAll(/\\(.)/g, '$1').replace(/^\/box\/|^\.\//, ''),
    ),
  );
  const sources = files.filter(({ path }) => path.endsWith('.rs'));
  return [
    ...otherEndings(files, /\.rs$/i, /\.rs$/),
    ...sources
      .filter(({ path }) => !compiled.has(path))
      .map(({ path }) => ({ path, why: 'no crate of the manifest takes it in' })),
    ...sources.flatMap((file) => {
      const why = neverCompiled(file.content);
      return why === null ? [] : [{ path: file.path, why }];
    }),
  ];
}

/**
 * Code that runs during compilation, with the compiler's permissions: it could report success in
 * the compiler's place.
 */
function unproven(files: readonly GateFile[]): string | null {
  const manifests = files.filter(({ path }) => path.endsWith('Cargo.toml'));
  const script = files.find(({ path }) => /(^|\/)build\.rs$/.test(path));
  if (script !== undefined && manifests.length > 0)
    return `${script.path} runs next to the compiler.`;
  const found = manifests.find(({ content }) =>
    /\b(?:build|proc[-_]macro|plugin)\b(?!-dep)/.test(content.replaceAll(/^\s*#.*$/gm, '')),
  );
  return found === undefined ? null : `${found.path} names code that runs next to the compiler.`;
}

export const rustGates: readonly CompileGate[] = [
  {
    language: 'rust',
    command: 'cargo check',
    find: findRust,
    missing: 'Rust is not installed on this machine where a box can read it (below /usr).',
    prepare(files) {
      const given = withManifest(files);
      // Test-only code is compiled too, so that no file is skipped.
      const alsoTests = given.some(
        ({ path, content }) =>
          /(^|\/)(tests|benches|examples)\//.test(path) || /\bcfg\s*\([^\]]*\btest\b/.test(content),
      );
      const ask = "find /tmp/target -name '*.d' -exec cat {} +";
      return {
        args: ['check', '--offline', '--color', 'never'],
        files: given,
        env,
        ask: {
          whenPassed: alsoTests
            ? `"$0" check --all-targets --offline --color never 3>&- && ${ask}`
            : ask,
        },
      };
    },
    environmentFault({ stderr, files }) {
      const unstableAt = unstableLines(diagnosticsOf(stderr, diagnostic));
      return onlyEnvironmental(stderr, {
        diagnostic,
        summary,
        explain: (text) => explain(text, files, unstableAt),
      });
    },
    leftOut: ({ report, files }) => leftOut(report, files),
    unproven,
  },
];
