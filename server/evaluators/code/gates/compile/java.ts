import { readdirSync } from 'node:fs';
import type { CodeFile } from '../gate';
import { findProgram, type Tool } from '../tools';
import { type CompileGate, onlyEnvironmental, otherEndings } from './compile-gate';

// All errors, and of all phases: one that a missing library causes must not hide one of the code.
const options = (
  '-J-Xmx512m -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -proc:none -implicit:none -encoding UTF-8 -d /tmp/classes ' +
  '-Xmaxerrs 100000 -XDshould-stop.ifError=FLOW'
).split(' ');

/** Settings of Debian's Java stand below /etc, which a box makes up; without them it does not start. */
function findJava(): Tool | null {
  const tool = findProgram('javac', ['-version']);
  if (tool === null) return null;
  const folders = readdirSync('/etc').filter((name) => /^java-\d+-openjdk$/.test(name));
  return { ...tool, binds: folders.map((name) => ({ from: `/etc/${name}`, to: `/etc/${name}` })) };
}

const header = /^\.\/[^\n]*\.java:\d+: error: /;

/** @returns the missing libraries as a sentence, when each error follows from a package that the files do not hold */
function missingLibraries(output: string, files: readonly CodeFile[]): string | null {
  const imports = new Map(files.map((file) => [`./${file.path}`, importsOf(file)]));
  const isForeign = foreignTo(files);
  const missing = new Set<string>();
  const isOnly = onlyEnvironmental(output, {
    diagnostic: header,
    explain(text) {
      const given = imports.get(text.slice(0, text.search(/:\d+: error: /))) ?? [];
      const foreign = given.filter(({ from }) => isForeign(from));
      const absent = /^[^\n]*: error: package ([\w.]+) does not exist/.exec(text)?.[1];
      if (absent !== undefined) {
        const name = absent.includes('.') ? absent : foreign.find((one) => one.name === absent)?.from;
        if (name === undefined || !isForeign(name)) return null;
        missing.add(name);
        return 'missing';
      }
      const symbol = /\n\s+symbol: +(?:class|variable|static) (\w+)/.exec(text)?.[1];
      const isImported = foreign.some(({ name }) => name === '*' || name === symbol);
      if (/: error: cannot find symbol/.test(text)) return symbol !== undefined && isImported ? 'missing' : null;
      return /: error: (static import only from|method does not override or implement)/.test(text) && foreign.length > 0 ? 'missing' : null;
    },
  });
  if (isOnly === null || missing.size === 0) return null;
  return `The code needs libraries that are not in the box: ${[...missing].slice(0, 5).join(', ')}.`;
}

/** What a file imports: the package, and the last name. */
function importsOf({ content }: CodeFile): readonly { readonly from: string; readonly name: string }[] {
  return [...content.matchAll(/^\s*import\s+(?:static\s+)?([\w.]+)\.([\w*]+)\s*;/gm)].map(([, from = '', name = '']) => ({ from, name }));
}

/** A package that shares its first two names with one of the files' own is one that the author did not write. */
function foreignTo(files: readonly CodeFile[]): (name: string) => boolean {
  const start = (name: string): string => name.split('.').slice(0, 2).join('.');
  const own = new Set(files.flatMap(({ content }) => /^\s*package\s+([\w.]+)\s*;/m.exec(content)?.[1] ?? []).map(start));
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
      args: [...options, ...files.filter(({ path }) => path.endsWith('.java')).map(({ path }) => `./${path}`)],
      files,
      env: {},
    }),
    environmentFault({ stderr, files }) {
      if (/^(Error occurred during initialization of VM|Error: could not )/m.test(stderr) && !/: error: /.test(stderr)) {
        return 'The installed Java does not work.';
      }
      return missingLibraries(stderr, files);
    },
    leftOut: ({ files }) => otherEndings(files, /\.java$/i, /\.java$/),
  },
];
