// Tests that failed because the sandbox lacks a package, or because its language is older than the
// code: neither is a fault of the code. The messages of a failure, which code can forge, only
// select the checks: whether a name is imported, whether the author has written no such module, and
// whether the sandbox lacks it are all determined outside the run.
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { findNewerSyntax, isNewerThan } from '../structure';
import type { GateFile } from './gate';
import { newerNodeName, newerPythonName } from './newer-names';
import type { TestReport } from './tests/report';
import type { RunnerKind } from './tests/test-call';
import type { Boxes } from './second-chance';
import type { Tool } from './tools';
import { toolchainVersion } from './toolchain';

export interface FailedRun {
  readonly box: Boxes;
  readonly tool: Tool;
  readonly language: RunnerKind['language'];
  /** The code and the tests. */
  readonly files: readonly GateFile[];
  readonly report: TestReport;
  /** The output of the run. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/**
 * @returns why the environment alone caused every failure, as a sentence; null if the code may have
 * caused one
 */
export async function environmentOfTests(run: FailedRun): Promise<string | null> {
  const { failed, skipped, isComplete } = run.report;
  if (failed.size === 0 || skipped.size > 0 || !isComplete || hasUnexplained(run.report))
    return null;
  const failures = [...failed].map(([id, message]): Failure => ({ id, message: message.trim() }));
  return run.language === 'python'
    ? environmentOfPython(run, failures)
    : environmentOfScripts(run, failures);
}

interface Failure {
  /** Id of a test, or of a file that could not be loaded. */
  readonly id: string;
  readonly message: string;
}

/** Whether a test did not run although its file was loaded. */
function hasUnexplained({ expected, passed, failed }: TestReport): boolean {
  const ids = [...failed.keys()];
  const isExplained = (test: string): boolean =>
    passed.has(test) ||
    ids.some((id) => id === test || id.startsWith(`${test}[`) || test.startsWith(`${id}::`));
  return ![...expected].every(isExplained);
}

const missingPython = [
  /^(?:E\s+)?ModuleNotFoundError: No module named '([\w.]+)'/,
  /^Skipped: could not import '([\w.]+)': No module named /,
  /^(?:E\s+)?RuntimeError: The starlette\.testclient module requires the (\w+) package/,
];
const asyncUnsupported = /^(?:Failed|Skipped): async def function/;
const isSyntax = /^(?:E\s+)?(?:SyntaxError|IndentationError): /;

async function environmentOfPython(
  run: FailedRun,
  failures: readonly Failure[],
): Promise<string | null> {
  const syntax = failures.filter(({ message }) => isSyntax.test(message));
  const version = await toolchainVersion(run.box, run.tool, run.signal);
  const newer = syntax.length === 0 ? null : await newerPython(run.files, syntax, version);
  if (syntax.length > 0 && newer === null) return null;
  const lacking = failures.flatMap((failure) => {
    const found = newerPythonName(failure.message, run.files, version);
    return found === null ? [] : [{ failure, ...found }];
  });
  if (
    !(await lacksNames(
      run,
      lacking.flatMap(({ unlisted }) => (unlisted === null ? [] : [unlisted])),
    ))
  )
    return null;
  const names = new Set<string>();
  for (const { id, message } of failures.filter(
    (one) => !syntax.includes(one) && !lacking.some(({ failure }) => failure === one),
  )) {
    const plugin = asyncUnsupported.test(message) ? asyncPlugin(id, run.files) : null;
    const name =
      plugin ??
      missingPython
        .map((form) => form.exec(message)?.[1])
        .find((found) => found !== undefined)
        ?.split('.')[0];
    if (name === undefined || (plugin === null && !isForeignPython(name, run.files))) return null;
    names.add(name);
  }
  if (names.size === 0) return newer ?? lacking[0]?.reason ?? null;
  const missing = await absentFrom(run, [...names]);
  return missing !== null && missing.length === names.size ? lacks(missing) : null;
}

/**
 * The failure message contains the position; the parser confirms that the syntax there is valid and
 * newer.
 */
async function newerPython(
  files: readonly GateFile[],
  failures: readonly Failure[],
  version: string | null,
): Promise<string | null> {
  const newer = (await findNewerSyntax(files)).filter(({ since }) => isNewerThan(since, version));
  const causes = failures.map(({ message }) => {
    const [, name = '', line] = /\(([^()\s]+), line (\d+)\)$/.exec(message) ?? [];
    return newer.find(
      ({ path, from, to }) => path.endsWith(name) && from <= Number(line) && Number(line) <= to,
    );
  });
  const [cause] = causes;
  if (cause === undefined || causes.includes(undefined)) return null;
  return `${cause.path}, line ${cause.from}: ${cause.what} needs Python ${cause.since.join('.')}, which is newer than the installed one.`;
}

/**
 * @returns the plugin that runs an asynchronous test; null if the test is not asynchronous: code
 * could fail with the same message
 */
function asyncPlugin(id: string, files: readonly GateFile[]): string | null {
  const [path, ...names] = id.split('::');
  const test = names.at(-1)?.split('[')[0];
  const content = files.findLast((file) => file.path === path)?.content;
  if (
    test === undefined ||
    content === undefined ||
    !new RegExp(`^\\s*async\\s+def\\s+${test}\\s*\\(`, 'm').test(content)
  )
    return null;
  return /\bmark\s*\.\s*anyio\b/.test(content) ? 'anyio' : 'pytest_asyncio';
}

const lacks = (names: readonly string[]): string =>
  `The tests need packages that are not in the box: ${names.slice(0, 5).join(', ')}. The operator installs common ones by npm run box:packages.`;

/**
 * Common names of a project's own modules: if such a module is missing, a file of the project is
 * missing.
 */
const ownNames = new Set(
  (
    'app main config settings models model utils util helpers helper database db routes views schemas services service server client api ' +
    'core lib src tests test constants types common auth controllers handlers tasks exceptions errors forms urls admin extensions calc ' +
    'calculator solution parser store storage repository repositories crud deps dependencies security middleware'
  ).split(' '),
);

/** Packages required by another one, by their dependents. */
const broughtBy: Readonly<Record<string, readonly string[]>> = {
  httpx: ['^\\s*from\\s+(?:fastapi|starlette)\\.testclient\\b'],
  trio: ['\\bmark\\s*\\.\\s*anyio\\b'],
};

/**
 * Whether it is an external package: imported by the code, and neither written by the author nor
 * named like a part of the work.
 */
function isForeignPython(name: string, files: readonly GateFile[]): boolean {
  const own = new Set(
    files.flatMap(({ path }) => path.split('/').map((part) => part.replace(/\.py$/, ''))),
  );
  if (own.has(name) || [...own].some((one) => isNear(one, name))) return false;
  const forms = [
    `^\\s*(?:from|import)\\s+(?:[\\w.]+\\s*,\\s*)*${name}\\b`,
    `(?:import_module|__import__|importorskip)\\(\\s*['"]${name}\\b`,
    // An entry of a list, such as Django's applications.
    `^\\s*['"]${name}(?:\\.[\\w.]*)?['"],?\\s*$`,
  ];
  const imports = new RegExp([...forms, ...(broughtBy[name] ?? [])].join('|'), 'm');
  if (!files.some(({ content }) => imports.test(content))) return false;
  const declared = files.some(
    ({ path, content }) =>
      /(?:^|\/)(?:requirements[\w-]*\.txt|pyproject\.toml|setup\.(?:py|cfg))$/.test(path) &&
      new RegExp(`\\b${name.replaceAll('_', '[-_]')}\\b`, 'i').test(content),
  );
  return declared || !ownNames.has(name);
}

/** A typo: one letter added, missing or different. */
function isNear(a: string, b: string): boolean {
  if (a.length < 4 || Math.abs(a.length - b.length) > 1 || a === b) return false;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end <= 1;
}

const probe = `import importlib.util as u, sys
print('\\n'.join(n for n in sys.argv[1:] if n not in sys.stdlib_module_names and u.find_spec(n) is None))`;

const namesProbe = `import importlib, sys
for pair in sys.argv[1:]:
    module, name = pair.split(':')
    try:
        if module.split('.')[0] not in sys.stdlib_module_names or hasattr(importlib.import_module(module), name): sys.exit(1)
    except ImportError:
        pass`;

/**
 * Whether each pair is a module of the standard library and a name that it lacks. Checked in a
 * sandbox without any file of the code.
 */
async function lacksNames(
  { box, tool, signal }: FailedRun,
  pairs: readonly (readonly [string, string])[],
): Promise<boolean> {
  if (pairs.length === 0) return true;
  const args = pairs.slice(0, 50).map(([module, name]) => `${module}:${name}`);
  const command = [tool.program, '-I', '-c', namesProbe, ...args] as const;
  const result = await box.run(
    { files: [], command, binds: tool.binds, limits: { wallMs: 20_000 } },
    signal,
  );
  return result.end === 'exit' && result.exitCode === 0;
}

/**
 * Checked in a separate sandbox, without any file of the code. @returns null if the check could not
 * run
 */
async function absentFrom(
  { box, tool, signal }: FailedRun,
  names: readonly string[],
): Promise<readonly string[] | null> {
  const command = [tool.program, '-I', '-c', probe, ...names] as const;
  const result = await box.run(
    { files: [], command, binds: tool.binds, limits: { wallMs: 20_000 } },
    signal,
  );
  if (result.end !== 'exit' || result.exitCode !== 0) return null;
  return result.stdout.toString().split('\n').filter(Boolean);
}

const missingPackage =
  /^(?:\w*Error(?: \[\w+\])?: )?(?:Cannot find (?:module|package) '([^'\n]+)'|Failed to resolve import "([^"\n]+)"|Failed to load url ([^\s\n]+) )/;
const builtin = new Set(builtinModules);

/**
 * Node reports the failures of a file's tests only in the output. @returns null if one of them has
 * no message
 */
function messagesOf({ message }: Failure, output: string): readonly string[] | null {
  if (!/^exit code \d+$/.test(message)) return [message];
  const failed = output.match(/^\s*not ok \d+/gm)?.length ?? 0;
  const errors = [...output.matchAll(/^ *error: (?:\|-\n *([^\n]*)|'?([^\n]*?)'?)$/gm)].map(
    ([, first, whole]) => first ?? whole ?? '',
  );
  const own = errors.filter((error) => !/^\d+ subtests? failed$/.test(error));
  return own.length === 0 || errors.length !== failed ? null : own;
}

function environmentOfScripts(
  { tool, files, output }: FailedRun,
  failures: readonly Failure[],
): string | null {
  const names = new Set<string>();
  const newer: string[] = [];
  const messages = failures.map((failure) => messagesOf(failure, output));
  if (messages.includes(null)) return null;
  for (const message of messages.flatMap((each) => each ?? [])) {
    // Sandboxes run the same Node as Assay.
    const reason = newerNodeName(message, files, process.version);
    if (reason !== null) {
      newer.push(reason);
      continue;
    }
    const [, found, resolved, loaded] = missingPackage.exec(message) ?? [];
    const specifier = found ?? resolved ?? loaded ?? '';
    if (!isForeignPackage(specifier, files)) return null;
    names.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
  }
  if (names.size === 0) return newer[0] ?? null;
  const folders = tool.binds
    .filter(({ to }) => to.endsWith('/node_modules'))
    .map(({ from }) => from);
  return [...names].some((name) => folders.some((folder) => existsSync(join(folder, name))))
    ? null
    : lacks([...names]);
}

function isForeignPackage(specifier: string, files: readonly GateFile[]): boolean {
  if (!/^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/[\w./-]*)?$/.test(specifier) || builtin.has(specifier))
    return false;
  return files.some(({ content }) =>
    ["'", '"', '`'].some((quote) => content.includes(`${quote}${specifier}${quote}`)),
  );
}
