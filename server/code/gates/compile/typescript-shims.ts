// Declarations for types that a sandbox lacks: packages, Node's own modules, generated code, and
// global names of test runners. Everything imported from them is `any` that can be called,
// constructed and indexed; all references between the uploaded files are still checked.
import type { GateFile } from '../gate';

/** Folders with code that a tool generates on the author's machine: the uploaded files lack it. */
const generated = /(?:^|\/)((?:_generated|__generated__|generated|\.prisma|\+types)\/.*)$/;

const loose = `interface AssayLoose {
  <A = any, B = any, C = any>(...given: any[]): any;
  new <A = any, B = any, C = any>(...given: any[]): any;
  [name: string]: any;
}
`;

const globals = [
  [
    'process',
    'Buffer',
    'require',
    'module',
    'exports',
    '__dirname',
    '__filename',
    'global',
    'setImmediate',
    'Bun',
    'Deno',
  ],
  [
    'describe',
    'it',
    'test',
    'expect',
    'beforeEach',
    'afterEach',
    'beforeAll',
    'afterAll',
    'vi',
    'jest',
    'suite',
    'before',
    'after',
  ],
].flat();

const fixed = `interface ImportMeta { glob(...given: any[]): any; env: any; hot: any; url: string; dirname: string; filename: string }
declare namespace NodeJS { type ProcessEnv = any; type Timeout = any; type Signals = any; type ErrnoException = any; }
declare namespace JSX { interface IntrinsicElements { [name: string]: any } type Element = any; type ElementClass = any; }
declare module '*.css' { const styles: any; export default styles; }
declare module '*.svg' { const source: any; export default source; }
declare module '*.png' { const source: any; export default source; }
`;

interface Taken {
  readonly names: Set<string>;
  /**
   * Imported as a whole: as default or by `* as`, under a name that the code chooses, or without a
   * name.
   */
  isWholeModule: boolean;
}

/** @returns text of an additional declaration file, for the external modules of the code */
export function typescriptShims(files: readonly GateFile[]): string {
  const modules = new Map<string, Taken>();
  for (const { content } of files) collect(content, modules);
  const declared = globals.filter((name) => !files.some((file) => declares(file, name)));
  return [
    loose,
    ...declared.map((name) => `declare var ${name}: any;`),
    fixed,
    ...[...modules].map(([name, taken]) => declare(name, taken)),
  ].join('\n');
}

/**
 * Whether a declaration file of the code declares a name that its runtime is expected to provide.
 */
function declares({ path, content }: GateFile, name: string): boolean {
  return (
    /\.d\.[cm]?ts$/.test(path) &&
    new RegExp(`\\b(?:var|let|const|function|class|namespace)\\s+${name}\\b`).test(content)
  );
}

const fromClause =
  /\b(?:import|export)\s+([\w$*{}\s,]{1,4000}?)\s*from\s*['"]([^'"\n]{1,300})['"]/g;
const bare = /\b(?:import|require)\s*\(?\s*['"]([^'"\n]{1,300})['"]/g;

function collect(code: string, modules: Map<string, Taken>): void {
  const takenFrom = (specifier: string): Taken | null => {
    const name = foreignName(specifier);
    if (name === null) return null;
    const taken = modules.get(name) ?? { names: new Set<string>(), isWholeModule: false };
    modules.set(name, taken);
    return taken;
  };
  for (const [, clause = '', specifier = ''] of code.matchAll(fromClause)) {
    const taken = takenFrom(specifier);
    if (taken === null) continue;
    const braces = /\{([^{}]*)\}/.exec(clause)?.[1] ?? '';
    for (const part of braces.split(',')) {
      const name = /^\s*(?:type\s+)?([A-Za-z_$][\w$]*)/.exec(part)?.[1];
      if (name !== undefined && name !== 'default') taken.names.add(name);
      if (name === 'default') taken.isWholeModule = true;
    }
    const local = /(?:^|\s|,)(?:\*\s*as\s+)?([A-Za-z_$][\w$]*)\s*,?\s*$/.exec(
      clause.replace(/\{[^{}]*\}/, '').replace(/^\s*type\s+(?=\S)/, ''),
    )?.[1];
    if (local === undefined) continue;
    taken.isWholeModule = true;
    // Members used on the import: the type `React.FC` needs a declared member `FC`.
    for (const [, member = ''] of code.matchAll(
      new RegExp(`(?<![\\w$.])${local.replaceAll('$', '\\$')}\\.([A-Za-z_$][\\w$]*)`, 'g'),
    ))
      taken.names.add(member);
  }
  for (const [, specifier = ''] of code.matchAll(bare)) {
    const taken = takenFrom(specifier);
    if (taken !== null) taken.isWholeModule = true;
  }
}

/** @returns the name to declare; null for a module that the code itself must contain */
function foreignName(specifier: string): string | null {
  const tail = generated.exec(specifier)?.[1];
  if (tail !== undefined) return `*/${tail}`;
  // Paths with these prefixes belong to the project itself, by the conventions of bundlers.
  return /^[./~#]|^@\//.test(specifier) ? null : specifier;
}

/**
 * A constant is used in arithmetic and comparisons; any other name is called, with type arguments
 * or without.
 */
function valueType(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? 'any' : 'AssayLoose';
}

/** Each name is both a value and a type, with up to three type arguments. */
function declare(module: string, { names, isWholeModule }: Taken): string {
  const types = [...names]
    .map((name) => `export type ${name}<A = any, B = any, C = any> = any;`)
    .join(' ');
  const values = [...names].map((name) => `${name}: ${valueType(name)};`).join(' ');
  const body = isWholeModule
    ? `const whole: AssayLoose & { ${values} };\n  namespace whole { ${types} }\n  export = whole;`
    : `${types} ${[...names].map((name) => `export const ${name}: ${valueType(name)};`).join(' ')}`;
  return `declare module ${JSON.stringify(module)} {\n  ${body}\n}`;
}

/** @returns names of type packages that the code references by a directive, each valid as a path */
export function referredTypes(files: readonly GateFile[]): readonly string[] {
  const names = files.flatMap(({ content }) =>
    [...content.matchAll(/^\s*\/\/\/\s*<reference\s+types\s*=\s*["']([@\w/-]{1,100})["']/gm)].map(
      ([, name]) => name ?? '',
    ),
  );
  return [...new Set(names)].filter((name) => !/^\/|\/\/|\/$/.test(name));
}

/** Whether a module that the compiler did not find is external. */
export function isForeignModule(specifier: string): boolean {
  return generated.test(specifier) || !specifier.startsWith('.');
}
