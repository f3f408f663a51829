// Tests in JavaScript and TypeScript that run in a separate sandbox, isolated from the code that
// they call (S-88). In place of each file of the code, their sandbox has a module that calls the
// code in the other sandbox.
import { posix } from 'node:path';
import type { GateFile, TestRunner } from '../gate';
import type { IsolatedCall, TestCall, TestInput } from '../tests/test-call';
import {
  scriptCodeSide,
  scriptCodeSidePath,
  serveVitest,
  serveVitestFile,
  serveVitestPath,
  serveVitestTest,
} from './script-code-side';
import {
  type ModuleFormat,
  scriptProxy,
  scriptTestSide,
  scriptTestSidePath,
} from './script-test-side';
import { scriptValues, scriptValuesPath } from './script-values';
import { cannotBeIsolated, findShared, type SharedPattern } from './shared-with-code';

/**
 * Tests that change the process, the modules or the files of the code, which are in another
 * sandbox.
 */
const shared: readonly SharedPattern[] = [
  [
    /\b(?:vi|vitest|jest)\s*\.\s*(?:un|do|set|create)?mock\w*\s*\(|\bmock\s*\.\s*(?:module|property)\b|\b(?:importActual|requireActual|requireMock)\b/iu,
    'replace parts of the code',
  ],
  [
    /\bspyOn\s*\((?!\s*(?:console|process\s*\.\s*std(?:out|err))\b)|\bmock\s*\.\s*(?:method|getter|setter)\s*\((?!\s*(?:console|process\s*\.\s*std(?:out|err))\b)|\breplaceProperty\b/u,
    'replace parts of the code',
  ],
  [
    /\b(?:resetModules|isolateModules\w*|stubGlobal|stubEnv)\b|\brequire\s*\.\s*cache\b/u,
    'change the modules or the environment of the code',
  ],
  [
    /\bprocess\s*\.\s*(?:env|argv|chdir|cwd|stdin|on|once|emit|exit\w*)\b|\b(?:globalThis|global|window)\s*(?:\.\s*\w+|\[[^\]]*\])\s*=[^=>]|\bMath\s*\.\s*random\s*=|\bDate\s*\.\s*now\s*=|\bprototype\s*\.\s*\w+\s*=[^=>]/u,
    'change the environment of the code',
  ],
  [
    /\b(?:useFakeTimers|setSystemTime|advanceTimers\w*|runAllTimers\w*)\b|\bmock\s*\.\s*timers\b|\btimers\s*:\s*['"](?:fake|modern|legacy)/u,
    'drive the timers of the code',
  ],
  [/\b\w*Snapshot\s*\(|\bsnapshot\s*\(/u, 'take snapshots of the code'],
  [
    /['"](?:node:)?(?:fs|fs\/promises|os|child_process|worker_threads|cluster|vm|module|inspector)['"]/u,
    'share files or processes with the code',
  ],
  [
    /['"](?:node:)?(?:http2?|https|net|dgram|tls|supertest)['"]|\bfetch\s*\(/u,
    'connect to the code',
  ],
  [
    /\bimport\.meta\.(?:glob|env)\b|['"]\.{0,2}\/[^'"\n]*\?[^'"\n]*['"]/u,
    'import files of the code as text',
  ],
];

const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/u.test(path);

export interface IsolatedScripts {
  readonly runner: Extract<TestRunner, 'node' | 'vitest' | 'jest'>;
  readonly isTest: (path: string) => boolean;
  /** Files of the code that the runner would load as settings. */
  readonly leaveOut: (path: string) => boolean;
  /** The call of the runner that in-process tests use too. */
  readonly callOf: (input: TestInput, test: GateFile) => TestCall;
}

/** @returns one call per test file; a sentence if the tests cannot be isolated from the code */
export function isolatedScriptCalls(
  input: TestInput,
  { runner, isTest, leaveOut, callOf }: IsolatedScripts,
): readonly IsolatedCall[] | string {
  const taken = new Set(input.tests.map(({ path }) => path));
  const codeFiles = input.files.filter(({ path }) => !taken.has(path) && !leaveOut(path));
  // A package of the code could replace one of the tests' own, such as the assertion library.
  const code = codeFiles.filter(({ path }) => !/(?:^|\/)node_modules\//u.test(path));
  const found = findShared(
    shared,
    input.tests.map(({ content }) => content),
  );
  if (found !== null) return cannotBeIsolated(found);
  const isOfCode = (name: string): boolean =>
    name.startsWith('#') ||
    codeFiles.some(
      (file) =>
        file.path.includes(`node_modules/${name}/`) || (isPackage(file) && nameOf(file) === name),
    );
  if (input.tests.some((file) => packagesIn(file).some(isOfCode)))
    return cannotBeIsolated('import the code by the name of a package');
  const formatOf = formatIn(runner, [...input.tests, ...code]);
  const files = code.flatMap((file) => proxyFiles(file, formatOf));
  const modules = importedModules(input.tests, code).map((file) => ({
    path: file.path,
    how: formatOf(file),
  }));
  const tools = [
    { path: scriptValuesPath, content: scriptValues },
    { path: scriptTestSidePath, content: scriptTestSide },
  ];
  return input.tests
    .filter(({ path }) => isTest(path))
    .map((test) => {
      const call = callOf({ files, tests: input.tests }, test);
      return {
        tests: {
          ...call,
          tools: [...call.tools, ...tools],
          settings: { ...call.settings, modules },
        },
        code: codeCall(runner, [
          ...codeFiles.filter((file) => !isPackage(file)),
          ...packagesOf(codeFiles, input.tests),
        ]),
      };
    });
}

function codeCall(runner: IsolatedScripts['runner'], code: readonly GateFile[]): TestCall {
  const tools = [
    { path: scriptValuesPath, content: scriptValues },
    { path: scriptCodeSidePath, content: scriptCodeSide },
  ];
  const env = { NODE_ENV: 'test', CI: 'true', NO_COLOR: '1' };
  if (runner !== 'vitest')
    return {
      files: code,
      tools,
      args: ['--no-warnings', scriptCodeSidePath],
      env: runner === 'node' ? {} : env,
      settings: {},
    };
  return {
    files: [
      ...code.filter(({ path }) => path !== serveVitestFile),
      { path: serveVitestFile, content: serveVitestTest },
    ],
    tools: [...tools, { path: serveVitestPath, content: serveVitest }],
    args: [serveVitestPath],
    env: { ...env, VITE_CJS_IGNORE_WARNING: '1' },
    settings: {},
  };
}

const isPackage = ({ path }: GateFile): boolean =>
  path === 'package.json' || path.endsWith('/package.json');

/** A manifest must not redirect the tests to other modules: only its module type is kept. */
const withTypeAlone = ({ path, content }: GateFile): GateFile => ({
  path,
  content: JSON.stringify({ type: typeOf(content) }),
});

/**
 * Every file that could run in the sandbox of the tests becomes a module that calls the other
 * sandbox: Node loads files of any name as code. Files that a tool would load as settings are
 * skipped.
 */
function proxyFiles(
  file: GateFile,
  formatOf: (file: GateFile) => ModuleFormat,
): readonly GateFile[] {
  if (isPackage(file)) return [withTypeAlone(file)];
  if (/(?:^|\/)(?:\.[^/]*|[tj]sconfig[^/]*\.json)$|\.(?:node|wasm)$/u.test(file.path)) return [];
  if (file.path.endsWith('.json')) return [file];
  return [{ path: file.path, content: scriptProxy(file.path, formatOf(file)) }];
}

/** Manifests for the sandbox of the code, with the module type that those of the tests set. */
function packagesOf(code: readonly GateFile[], tests: readonly GateFile[]): readonly GateFile[] {
  const packages = tests.filter(isPackage).map(withTypeAlone);
  return [
    ...packages,
    ...code.filter((file) => isPackage(file) && !packages.some(({ path }) => path === file.path)),
  ];
}

function manifestOf(content: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(content);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

const typeOf = (content: string): 'module' | 'commonjs' | undefined => {
  const { type } = manifestOf(content);
  return type === 'module' || type === 'commonjs' ? type : undefined;
};

const nameOf = ({ content }: GateFile): unknown => manifestOf(content)['name'];

/** Packages that tests import by name, without their paths; those of Node are excluded. */
function packagesIn({ content }: GateFile): readonly string[] {
  const pattern =
    /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])([^'"./\n][^'"\n]*)\1/gu;
  return [...content.matchAll(pattern)].map(
    ([, , name = '']) => /^(?:@[^/]+\/)?[^/]+/u.exec(name)?.[0] ?? name,
  );
}

const hasEsmSyntax = (content: string): boolean =>
  /^\s*(?:import\s*(?:[\w*{"'$]|\{)|export\s*(?:[{*]|default\b|const\b|let\b|var\b|function\b|async\b|class\b|enum\b|type\b|interface\b|abstract\b|declare\b|namespace\b))/mu.test(
    content,
  );
const hasCommonSyntax = (content: string): boolean =>
  /\bmodule\s*\.\s*exports\b|\bexports\s*[.[]/u.test(content);

/** How each runner loads a file, by its name, its text and the manifest above it. */
function formatIn(
  runner: IsolatedScripts['runner'],
  all: readonly GateFile[],
): (file: GateFile) => ModuleFormat {
  const types = new Map(
    all
      .filter(isPackage)
      .toReversed()
      .map(({ path, content }) => [posix.dirname(path), typeOf(content)]),
  );
  const typeAbove = (path: string): string | undefined => {
    for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
      if (types.has(folder)) return types.get(folder);
      if (folder === '.') return undefined;
    }
  };
  return ({ path, content }) => {
    if (runner === 'jest' || path.endsWith('.cjs') || !isScript(path)) return 'require';
    if (path.endsWith('.mjs')) return 'import';
    if (runner === 'vitest')
      return hasCommonSyntax(content) && !hasEsmSyntax(content) ? 'require' : 'import';
    const type = typeAbove(path);
    return type === 'module' || (type === undefined && hasEsmSyntax(content))
      ? 'import'
      : 'require';
  };
}

const endings = ['', '.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'];

/** Files of the code that the tests name, in the order of their mention. */
function importedModules(
  tests: readonly GateFile[],
  code: readonly GateFile[],
): readonly GateFile[] {
  const byPath = new Map(
    code.filter((file) => !file.path.endsWith('.json')).map((file) => [file.path, file]),
  );
  const found = new Set<GateFile>();
  for (const { path, content } of tests) {
    for (const [, , name = ''] of content.matchAll(
      /(['"`])(\.{1,2}(?:\/[^'"`\n]*)?|\/[^'"`\n]+)\1/gu,
    )) {
      const base = name.startsWith('/')
        ? name.replace(/^\/(?:box\/)?/u, '')
        : posix.join(posix.dirname(path), name).replace(/\/$/u, '');
      const bases = [base, base.replace(/\.[cm]?jsx?$/u, ''), posix.join(base, 'index')];
      for (const one of bases.flatMap((start) => endings.map((ending) => start + ending))) {
        const file = byPath.get(one);
        if (file !== undefined) found.add(file);
      }
    }
  }
  return [...found];
}
