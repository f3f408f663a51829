// Names that later versions added to Python's standard library and to Node (release notes of Python
// 3.11 to 3.14 and of Node 20 to 24). If a test fails because the installed version lacks such a
// name, the failure is no evidence about the code. A version requirement that the code declares has
// the same effect.
import { builtinModules } from 'node:module';
import { isNewerThan } from '../structure';
import { declaredVersion } from './declared-versions';
import type { GateFile } from './gate';

const parseVersion = (text: string): readonly number[] => text.split('.').map(Number);

const createTable = (
  rows: readonly (readonly [since: string, names: string])[],
): ReadonlyMap<string, readonly number[]> =>
  new Map(
    rows.flatMap(([since, names]) =>
      names.split(' ').map((name): [string, readonly number[]] => [name, parseVersion(since)]),
    ),
  );

const pythonNames = createTable([
  [
    '3.11',
    'tomllib wsgiref.types asyncio.TaskGroup asyncio.timeout asyncio.Runner datetime.UTC enum.StrEnum enum.verify',
  ],
  [
    '3.11',
    'typing.Self typing.LiteralString typing.Never typing.assert_never typing.assert_type typing.reveal_type typing.Required',
  ],
  [
    '3.11',
    'typing.NotRequired typing.TypeVarTuple typing.Unpack typing.dataclass_transform math.exp2 math.cbrt contextlib.chdir',
  ],
  [
    '3.12',
    'typing.override typing.TypeAliasType itertools.batched collections.abc.Buffer math.sumprod calendar.Month calendar.Day',
  ],
  ['3.12', 'inspect.BufferFlags random.binomialvariate sys.monitoring asyncio.eager_task_factory'],
  [
    '3.13',
    'typing.ReadOnly typing.TypeIs typing.NoDefault warnings.deprecated copy.replace queue.ShutDown math.fma',
  ],
  ['3.13', 'pathlib.UnsupportedOperation os.process_cpu_count dbm.sqlite3 asyncio.QueueShutDown'],
  [
    '3.14',
    'annotationlib string.templatelib compression compression.zstd concurrent.interpreters pathlib.types heapq.heappush_max',
  ],
  [
    '3.14',
    'heapq.heappop_max heapq.heapify_max functools.Placeholder operator.is_none operator.is_not_none uuid.uuid6 uuid.uuid7 uuid.uuid8',
  ],
]);

const nodeNames = createTable([
  ['21', 'Object.groupBy Map.groupBy navigator'],
  [
    '22',
    'Array.fromAsync Promise.withResolvers Iterator WebSocket fs.glob fs.globSync fs/promises.glob',
  ],
  ['22.5', 'node:sqlite'],
  ['23', 'Promise.try'],
  [
    '24',
    'RegExp.escape Error.isError Float16Array Math.f16round URLPattern AsyncDisposableStack DisposableStack SuppressedError',
  ],
]);

const setMethods = new Set(
  'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom'.split(
    ' ',
  ),
);
const iteratorMethods = new Set(
  'map filter take drop flatMap reduce toArray forEach some every find'.split(' '),
);

export interface NewerName {
  /** A sentence. */
  readonly reason: string;
  /**
   * The module and the name, if the table does not list them and only a declared version suggests a
   * newer feature: the caller must check that the installed module lacks the name. Null if the
   * table lists them.
   */
  readonly unlisted: readonly [module: string, name: string] | null;
}

const pythonForms: readonly RegExp[] = [
  /^(?:E\s+)?ImportError: cannot import name '(?<name>\w+)' from '(?<module>[\w.]+)'/,
  /^(?:E\s+)?AttributeError: module '(?<module>[\w.]+)' has no attribute '(?<name>\w+)'/,
  /^(?:E\s+)?ModuleNotFoundError: No module named '(?<module>[\w.]+)'/,
];

/**
 * Finds the feature of a newer Python whose absence caused a failure.
 * @returns null if the message names no such feature, or if the code does not use it
 */
export function newerPythonName(
  message: string,
  files: readonly GateFile[],
  installed: string | null,
): NewerName | null {
  const { module, name } =
    pythonForms.map((form) => form.exec(message)?.groups).find((groups) => groups !== undefined) ??
    {};
  const root = module?.split('.')[0] ?? '';
  if (
    module === undefined ||
    isOwnModule(root, files) ||
    !files.some(({ content }) => importsName(content, root, name))
  )
    return null;
  const qualifiedName = name === undefined ? module : `${module}.${name}`;
  const since = pythonNames.get(qualifiedName);
  if (since !== undefined && isNewerThan(since, installed))
    return { reason: needsText('Python', qualifiedName, since), unlisted: null };
  const declared = declaredVersion('python', files);
  // A patch release of Python adds no names.
  if (
    declared === null ||
    name === undefined ||
    !isNewerThan(declared.version.slice(0, 2), installed)
  )
    return null;
  return {
    reason: declaresText('Python', declared, `${qualifiedName} is missing`),
    unlisted: [module, name],
  };
}

const isOwnModule = (root: string, files: readonly GateFile[]): boolean =>
  files.some(({ path }) => path.split('/').some((part) => part === root || part === `${root}.py`));

function importsName(content: string, root: string, name: string | undefined): boolean {
  const imports = new RegExp(
    `^\\s*(?:from|import)\\s+(?:[\\w.]+(?:\\s+as\\s+\\w+)?\\s*,\\s*)*${root}\\b`,
    'm',
  );
  return imports.test(content) && (name === undefined || new RegExp(`\\b${name}\\b`).test(content));
}

const nodeForms: readonly RegExp[] = [
  /^(?:TypeError: )?(?:(?<owner>[A-Za-z_$][\w$]*)|(?<value>[^\n]{1,200}))\.(?<name>\w+) is not a function/,
  /^(?:TypeError: )?(?<name>[A-Z]\w*) is not a constructor/,
  /^(?:ReferenceError: )?(?<name>\w+) is not defined/,
  /^(?:\w*Error(?: \[\w+\])?: )?(?:No such built-in module: |Cannot find (?:module|package) '|Failed to load url )(?<module>node:[\w/]+)/,
  /^(?:SyntaxError: )?The requested module '(?:node:)?(?<owner>[\w/]+)' does not provide an export named '(?<name>\w+)'/,
];
const builtinOwners = new Set([
  ...builtinModules,
  ...'Object Array Map Set Promise RegExp Error Math Iterator String Number Symbol JSON process'.split(
    ' ',
  ),
]);

/**
 * Finds the feature of a newer Node whose absence caused a failure.
 * @returns null if the message names no such feature, or if the code may define the name itself
 */
export function newerNodeName(
  message: string,
  files: readonly GateFile[],
  installed: string,
): string | null {
  const { module, owner, value, name } =
    nodeForms.map((form) => form.exec(message)?.groups).find((groups) => groups !== undefined) ??
    {};
  const qualifiedName = module ?? (owner === undefined ? (name ?? '') : `${owner}.${name}`);
  if (!files.some(({ content }) => content.includes(module ?? name ?? '\0'))) return null;
  if (name !== undefined && files.some(({ content }) => definesName(content, name))) return null;
  const since = isNewerMethod(value ?? owner ?? '', name ?? '', files)
    ? [22]
    : nodeNames.get(qualifiedName);
  if (since !== undefined)
    return isNewerThan(since, installed) ? needsText('Node', qualifiedName, since) : null;
  const declared = declaredVersion('node', files);
  const isBuiltin = module !== undefined || (owner !== undefined && builtinOwners.has(owner));
  if (declared === null || !isBuiltin || !isNewerThan(declared.version, installed)) return null;
  return declaresText('Node', declared, `${qualifiedName} is missing`);
}

/**
 * Whether the method belongs to sets or iterators of a newer Node.
 * @param value as in the message: `new Set(…)`, a variable, or `list.values(...)`
 */
function isNewerMethod(value: string, name: string, files: readonly GateFile[]): boolean {
  if (setMethods.has(name)) return files.some(({ content }) => /\bnew\s+Set\b/.test(content));
  return iteratorMethods.has(name) && /\.(?:values|keys|entries)\(\.*\)$/.test(value);
}

/** Whether the code defines this name: as a function, a method, a class, a variable or a member. */
function definesName(content: string, name: string): boolean {
  const forms = [
    `\\b(?:function\\*?|class|const|let|var)\\s+${name}\\b`,
    `(?<![.\\w])(?:async\\s+)?${name}\\s*\\([^()]*\\)\\s*\\{`,
    `(?<![?\\w.]\\s*)\\b${name}\\s*:`,
    `\\.${name}\\s*=[^=]`,
  ];
  return new RegExp(forms.join('|')).test(content);
}

const needsText = (language: string, name: string, since: readonly number[]): string =>
  `${name} needs ${language} ${since.join('.')}, which is newer than the installed one.`;

const declaresText = (
  language: string,
  { path, version }: { readonly path: string; readonly version: readonly number[] },
  problem: string,
): string =>
  `${path} requires ${language} ${version.join('.')}, which is newer than the installed one: ${problem}.`;
