import { readdirSync } from 'node:fs';
import type { CodeFile } from '../gate';
import { findProgram, type Tool } from '../tools';
import type { CompileGate } from './compile-gate';

const options = '-J-Xmx512m -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -proc:none -implicit:none -encoding UTF-8 -d /tmp/classes'.split(
  ' ',
);

/** Settings of Debian's Java stand below /etc, which a box makes up; without them it does not start. */
function findJava(): Tool | null {
  const tool = findProgram('javac', ['-version']);
  if (tool === null) return null;
  const folders = readdirSync('/etc').filter((name) => /^java-\d+-openjdk$/.test(name));
  return { ...tool, binds: folders.map((name) => ({ from: `/etc/${name}`, to: `/etc/${name}` })) };
}

/** Packages that the uploaded files themselves declare. */
function declared(files: readonly CodeFile[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ content }) => /^\s*package\s+([\w.]+)\s*;/m.exec(content)?.[1] ?? []));
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
    environmentFault(output, files) {
      if (/java\.lang\.(InternalError|OutOfMemoryError)|initialization of VM/.test(output)) return 'The installed Java does not work.';
      const own = declared(files);
      const foreign = [...output.matchAll(/error: package ([\w.]+) does not exist/g)]
        .map(([, name]) => name ?? '')
        .filter((name) => !own.has(name));
      return foreign.length === 0
        ? null
        : `The code needs libraries that are not in the box: ${[...new Set(foreign)].slice(0, 5).join(', ')}.`;
    },
  },
];
