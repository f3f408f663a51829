// Names added to Python's standard library and to Node in later versions (release notes of Python
// 3.11 to 3.14 and of Node 20 to 24): tests that fail because one is missing say nothing about the
// code. Version requirements declared in a file count too.
import { builtinModules } from 'node:module';
import { isNewerThan } from '../structure';
import { declaredVersion } from './declared-versions';
import type { GateFile } from './gate';

const versionOf = (text: string): readonly number[] => text.split('.').map(Number);

const table = (
  rows: readonly (readonly [since: string, names: string])[],
): ReadonlyMap<string, readonly number[]> =>
  new Map(
    rows.flatMap(([since, names]) =>
      names.split(' ').map((name): [string, readonly number[]] => [name, versionOf(since)]),
    ),
  );

const ofPython = table([
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

const ofNode = table([
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
  /** As a sentence. */
  readonly reason: string;
  /**
   * A module and a name that it must lack, if only a declaration suggests a newer version; null if
   * the table does.
   */
  readonly unlisted: readonly [module: string, name: string] | null;
}

const pythonForms: readonly RegExp[] = [
  /^(?:E\s+)?ImportError: cannot import name '(?<name>\w+)' from '(?<module>[\w.]+)'/,
  /^(?:E\s+)?AttributeError: module '(?<module>[\w.]+)' has no attribute '(?<name>\w+)'/,
  /^(?:E\s+)?ModuleNotFoundError: No module named '(?<module>[\w.]+)'/,
];

/**
 * @returns null if the message does not name a feature of a newer Python, or the code does not use
 * it
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
    isOwnPython(root, files) ||
    !files.some(({ content }) => usesPython(content, root, name))
  )
    return null;
  const full = name === undefined ? module : `${module}.${name}`;
  const since = ofPython.get(full);
  if (since !== undefined && isNewerThan(since, installed))
    return { reason: needs('Python', full, since), unlisted: null };
  const declared = declaredVersion('python', files);
  // A patch release of Python adds no names.
  if (
    declared === null ||
    name === undefined ||
    !isNewerThan(declared.version.slice(0, 2), installed)
  )
    return null;
  return { reason: declares('Python', declared, `${full} is missing`), unlisted: [module, name] };
}

const isOwnPython = (root: string, files: readonly GateFile[]): boolean =>
  files.some(({ path }) => path.split('/').some((part) => part === root || part === `${root}.py`));

function usesPython(content: string, root: string, name: string | undefined): boolean {
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
 * @returns null if the message does not name a feature of a newer Node, or if the code may refer to
 * its own definition
 */
export function newerNodeName(
  message: string,
  files: readonly GateFile[],
  installed: string,
): string | null {
  const { module, owner, value, name } =
    nodeForms.map((form) => form.exec(message)?.groups).find((groups) => groups !== undefined) ??
    {};
  const full = module ?? (owner === undefined ? (name ?? '') : `${owner}.${name}`);
  if (!files.some(({ content }) => content.includes(module ?? name ?? '\0'))) return null;
  if (name !== undefined && files.some(({ content }) => definesScript(content, name))) return null;
  const since = isNewerMethod(value ?? owner ?? '', name ?? '', files) ? [22] : ofNode.get(full);
  if (since !== undefined) return isNewerThan(since, installed) ? needs('Node', full, since) : null;
  const declared = declaredVersion('node', files);
  const isBuiltin = module !== undefined || (owner !== undefined && builtinOwners.has(owner));
  if (declared === null || !isBuiltin || !isNewerThan(declared.version, installed)) return null;
  return declares('Node', declared, `${full} is missing`);
}

/** @param value as shown in the message: `new Set(…)`, a variable, or `list.values(...)` */
function isNewerMethod(value: string, name: string, files: readonly GateFile[]): boolean {
  if (setMethods.has(name)) return files.some(({ content }) => /\bnew\s+Set\b/.test(content));
  return iteratorMethods.has(name) && /\.(?:values|keys|entries)\(\.*\)$/.test(value);
}

/**
 * Whether the code itself defines this name: as a function, a method, a class, a variable or a
 * member.
 */
function definesScript(content: string, name: string): boolean {
  const forms = [
    `\\b(?:function\\*?|class|const|let|var)\\s+${name}\\b`,
    `(?<![.\\w])(?:async\\s+)?${name}\\s*\\([^()]*\\)\\s*\\{`,
    `(?<![?\\w.]\\s*)\\b${name}\\s*:`,
    `\\.${name}\\s*=[^=]`,
  ];
  return new RegExp(forms.join('|')).test(content);
}

const needs = (language: string, name: string, since: readonly number[]): string =>
  `${name} needs ${language} ${since.join('.')}, which is newer than the installed one.`;

const declares = (
  language: string,
  { path, version }: { readonly path: string; readonly version: readonly number[] },
  what: string,
): string =>
  `${path} requires ${language} ${version.join('.')}, which is newer than the installed one: ${what}.`;
