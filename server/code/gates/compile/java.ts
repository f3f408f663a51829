import { readdirSync } from 'node:fs';
import type { GateFile } from '../gate';
import { findProgram, type Tool } from '../tools';
import {
  type CompileEnd,
  type CompileGate,
  diagnosticsOf,
  onlyEnvironmental,
  otherEndings,
} from './compile-gate';
import { type JavaEnd, newerJava } from './java-versions';

// All errors, of all phases: an error caused by a missing library must not hide an error in the
// code.
const options = (
  '-J-Xmx512m -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -proc:none -implicit:none -encoding UTF-8 -d /tmp/classes ' +
  '-Xmaxerrs 100000 -XDshould-stop.ifError=FLOW'
).split(' ');

/**
 * Settings of Debian's Java are below /etc, which a sandbox replaces; without them it does not
 * start.
 */
function findJava(): Tool | null {
  const tool = findProgram('javac', ['-version']);
  if (tool === null) return null;
  const folders = readdirSync('/etc').filter((name) => /^java-\d+-openjdk$/.test(name));
  return { ...tool, binds: folders.map((name) => ({ from: `/etc/${name}`, to: `/etc/${name}` })) };
}

const header = /^\.\/[^\n]*\.java:\d+: error: /;

/**
 * @returns why each error follows from a package that the files do not contain, or from a newer
 * Java than the installed one
 */
function environmentOf(output: string, given: CompileEnd): string | null {
  const { files } = given;
  const end: JavaEnd = { ...given, diagnostics: diagnosticsOf(output, header) };
  const imports = new Map(files.map((file) => [`./${file.path}`, importsOf(file)]));
  const isForeign = foreignTo(files);
  const missing = new Set<string>();
  const reason = onlyEnvironmental(output, {
    diagnostic: header,
    explain(text) {
      const newer = newerJava(text, end);
      if (newer !== null) return newer;
      const given = imports.get(text.slice(0, text.search(/:\d+: error: /))) ?? [];
      const foreign = given.filter(({ from }) => isForeign(from));
      const absent = /^[^\n]*: error: package ([\w.]+) does not exist/.exec(text)?.[1];
      if (absent !== undefined) {
        const name = absent.includes('.')
          ? absent
          : foreign.find((one) => one.name === absent || one.from === absent)?.from;
        if (name === undefined || !isForeign(name)) return null;
        missing.add(name);
        return 'missing';
      }
      const [, kind, symbol] =
        /\n\s+symbol: +(class|variable|static|method) (\w+)/.exec(text) ?? [];
      const isImported = foreign.some(
        ({ name, isStatic }) =>
          (name === '*' && (kind !== 'method' || isStatic)) || name === symbol,
      );
      if (/: error: cannot find symbol/.test(text) && symbol !== undefined && isImported)
        return 'missing';
      if (foreign.length > 0 && followsFromLibrary(text, files)) return 'missing';
      return null;
    },
  });
  if (reason !== 'missing' || missing.size === 0) return reason === 'missing' ? null : reason;
  return `The code needs libraries that are not in the box: ${[...missing].slice(0, 5).join(', ')}.`;
}

/**
 * The members that a superclass, an annotation or a generator of a missing library would have
 * added, and their uses.
 */
function followsFromLibrary(text: string, files: readonly GateFile[]): boolean {
  if (
    /: error: (?:static import only from|method does not override or implement|cannot infer type)/.test(
      text,
    )
  )
    return true;
  const isMember =
    /: error: cannot find symbol/.test(text) && /\n\s+symbol: +(?:method|variable) \w/.test(text);
  if (!isMember) return false;
  const owner = /\n\s+location: +(?:class|interface|variable \w+ of type) ([\w.]+)/.exec(text)?.[1];
  const name = owner?.slice(owner.lastIndexOf('.') + 1);
  return name !== undefined && files.some(({ content }) => takesMembers(content, name));
}

/** Whether a class has a superclass or an annotation that only a library can provide. */
function takesMembers(content: string, name: string): boolean {
  const annotations = '((?:@\\w+(?:\\([^)]*\\))?\\s+)*)';
  const head = new RegExp(
    `${annotations}(?:(?:public|abstract|final|static)\\s+)*(?:class|interface|record)\\s+${name}\\b([^{]*)`,
  ).exec(content);
  if (head === null) return false;
  const imported = new Set(
    importsOf({ path: '', content })
      .filter(({ from }) => !/^java(\.|$)/.test(from))
      .map((one) => one.name),
  );
  const used =
    `${head[1] ?? ''} ${/\b(?:extends|implements)\b.*/s.exec(head[2] ?? '')?.[0] ?? ''}`.match(
      /\w+/g,
    ) ?? [];
  return used.some((word) => imported.has(word) || (imported.has('*') && /^[A-Z]/.test(word)));
}

/** The import of a file: the package, and the last name. */
function importsOf({ content }: GateFile): readonly {
  readonly from: string;
  readonly name: string;
  readonly isStatic: boolean;
}[] {
  return [...content.matchAll(/^\s*import\s+(static\s+)?([\w.]+)\.([\w*]+)\s*;/gm)].map(
    ([, isStatic, from = '', name = '']) => ({
      from,
      name,
      isStatic: isStatic !== undefined,
    }),
  );
}

/** A package counts as the author's if it shares its first two names with one of the files' own. */
function foreignTo(files: readonly GateFile[]): (name: string) => boolean {
  const start = (name: string): string => name.split('.').slice(0, 2).join('.');
  const own = new Set(
    files
      .flatMap(({ content }) => /^\s*package\s+([\w.]+)\s*;/m.exec(content)?.[1] ?? [])
      .map(start),
  );
  return (name) => !own.has(start(name)) && !/^java(\.|$)/.test(name);
}

export const javaGates: readonly CompileGate[] = [
  {
    language: 'java',
    command: "find . -name '*.java' -exec javac {} +",
    find: findJava,
    missing: 'No Java compiler is installed on this machine.',
    // Annotation processors are refused: they would be code that runs inside the compiler.
    prepare: (files) => ({
      args: [
        ...options,
        ...files.filter(({ path }) => path.endsWith('.java')).map(({ path }) => `./${path}`),
      ],
      files,
      env: {},
    }),
    readsNewer: true,
    environmentFault(end) {
      const { stderr } = end;
      if (
        /^(Error occurred during initialization of VM|Error: could not )/m.test(stderr) &&
        !/: error: /.test(stderr)
      ) {
        return 'The installed Java does not work.';
      }
      return environmentOf(stderr, end);
    },
    leftOut: ({ files }) => otherEndings(files, /\.java$/i, /\.java$/),
  },
];
