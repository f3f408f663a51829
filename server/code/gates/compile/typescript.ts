import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeInBox } from '../../../sandbox';
import type { GateFile } from '../gate';
import { gateLanguageOf } from '../languages';
import { findPackage, type Tool } from '../tools';
import { type CompileGate, onlyEnvironmental } from './compile-gate';
import { isForeignModule, referredTypes, typescriptShims } from './typescript-shims';

const folder = '/opt/typescript';
/** Next to the code, so that paths in the settings resolve. */
const settingsPath = 'assay.gate.tsconfig.json';
const shimsPath = 'assay.gate.d.ts';
const typesFolder = 'assay.gate.types';

function findTypescript(): Tool | null {
  const from = findPackage('typescript');
  if (from === null) return null;
  const node = nodeInBox();
  return {
    program: node.program,
    args: ['--max-old-space-size=640', `${folder}/lib/tsc.js`],
    binds: [...node.binds, { from, to: folder }],
    versionArgs: ['--version'],
  };
}

/**
 * Settings that override the code's own: nothing is written, and no files are searched for that a
 * sandbox lacks.
 */
const fixedOptions = {
  noEmit: true,
  noCheck: false,
  types: [],
  typeRoots: [`./${typesFolder}`],
  allowJs: true,
  checkJs: false,
  jsx: 'preserve',
  noImplicitAny: false,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  emitDeclarationOnly: false,
  isolatedDeclarations: false,
  noUnusedLocals: false,
  noUnusedParameters: false,
  verbatimModuleSyntax: false,
  resolveJsonModule: true,
  moduleDetection: 'force',
  rootDir: '/',
  ignoreDeprecations: '6.0',
};
/** Code without its own settings is checked only for faults that any reader would see. */
const defaultOptions = {
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom', 'dom.iterable'],
  strict: false,
  experimentalDecorators: true,
};

/**
 * Codes that only a missing type causes, as long as packages have placeholder declarations: type
 * arguments to `any`, names of namespaces. For the code's own names they are its faults.
 */
const followsFromShims = new Set([2347, 2503, 2694, 2709]);
/** A declaration file may declare the runtime's placeholder names again. */
const declaredTwice = new Set([2300, 2403, 2451, 2649, 2687, 2717]);
const runtimeNames = new Set([
  'NodeJS',
  'JSX',
  'React',
  'Express',
  'jest',
  'google',
  'chrome',
  'Bun',
  'Deno',
  'Cypress',
  'Electron',
]);

const missingTypes = 'The code needs types that are not in the box; nothing else was found wrong.';
const diagnostic = /^(?:(.+)\((\d+),\d+\): )?error TS(\d+): (.*)/;
const suppression = /@ts-(?:nocheck|ignore|expect-error)\b/g;

interface Diagnostic {
  readonly path: string;
  readonly file: GateFile | undefined;
  readonly line: number;
  readonly code: number;
  readonly message: string;
}

export const typescriptGates: readonly CompileGate[] = [
  {
    language: 'typescript',
    command: 'npx tsc --noEmit --skipLibCheck',
    find: findTypescript,
    missing: 'The TypeScript compiler is not installed next to Assay.',
    prepare(files) {
      const code = files.filter(({ path }) => gateLanguageOf(path) === 'typescript');
      const own = files.some(({ path }) => path === 'tsconfig.json');
      // The compiler skips either all declaration files or none, except its own.
      const declares = code.some(({ path }) => isDeclaration(path));
      const settings = {
        ...(own ? { extends: './tsconfig.json' } : {}),
        compilerOptions: {
          ...(own ? knownOptions(files) : defaultOptions),
          ...fixedOptions,
          skipLibCheck: !declares,
          skipDefaultLibCheck: true,
        },
        files: [...code.map(({ path }) => `./${path}`), `./${shimsPath}`],
        include: [],
      };
      const added = [
        { path: settingsPath, content: JSON.stringify(settings) },
        { path: shimsPath, content: typescriptShims(code) },
        ...referredTypes(code).map((name) => ({
          path: `${typesFolder}/${name}/index.d.ts`,
          content: 'export {};\n',
        })),
      ];
      const checkedFiles = files.filter(({ path }) => !path.startsWith('assay.gate.')).map(checked);
      return {
        args: ['-p', settingsPath, '--pretty', 'false', '--listFiles'],
        files: [...checkedFiles, ...added],
        env: {},
      };
    },
    environmentFault: ({ stdout, files }) =>
      onlyEnvironmental(stdout, {
        diagnostic,
        explain: (text) => explain(readDiagnostic(text, files)),
      }),
    leftOut({ stdout, files }) {
      const compiled = new Set(stdout.split('\n'));
      const code = files.filter(({ path }) => gateLanguageOf(path) === 'typescript');
      return code
        .filter(({ path }) => !compiled.has(`/box/${path}`))
        .map(({ path }) => ({ path, why: 'the settings or another file leave it out' }));
    },
    shown: (output) =>
      output.replaceAll(/^\/(?:box|opt\/typescript)\/[^\n]*\.(?:json|[cm]?[jt]sx?)(?:\n|$)/gm, ''),
  },
];

const isSettings = (path: string): boolean =>
  /(?:^|\/)[^/]*\bconfig\b[^/]*\.json$|(?:^|\/)tsconfig[^/]*\.json$/.test(path);
const isYear = /^es20\d\d(?:\.[a-z.]+)?$/i;

/**
 * Replaces settings that the compiler is too old to know by the newest that it knows, so that the
 * code is compiled.
 */
function knownOptions(files: readonly GateFile[]): Readonly<Record<string, unknown>> {
  const from = findPackage('typescript');
  const isKnown = (name: string): boolean =>
    !isYear.test(name) ||
    (from !== null && existsSync(join(from, `lib/lib.${name.toLowerCase()}.d.ts`)));
  const settings = files.filter(({ path }) => isSettings(path)).map(({ content }) => content);
  const valuesOf = (form: RegExp): readonly string[] =>
    settings.flatMap((content) => form.exec(content)?.[1] ?? []);
  const targets = valuesOf(/"target"\s*:\s*"([^"\n]{1,50})"/);
  const libs = valuesOf(/"lib"\s*:\s*\[([^\]]{1,2000})\]/).flatMap((list) =>
    [...list.matchAll(/"([^"\n]{1,50})"/g)].map(([, name = '']) => name),
  );
  return {
    ...(targets.every(isKnown) ? {} : { target: 'esnext' }),
    ...(libs.every(isKnown)
      ? {}
      : { lib: ['esnext', ...libs.filter((name) => /^(?:dom|webworker|scripthost)/i.test(name))] }),
  };
}

/** @param message lists the values that the compiler knows: `'es6', …, 'es2025', 'esnext'` */
function newerSetting(content: string, line: number, message: string): string | null {
  const option = /^Argument for '--(target|lib|module|moduleResolution)' option/.exec(message)?.[1];
  const known = [...message.matchAll(/'([a-z]+)(\d+)(?:\.[a-z.]+)?'/g)];
  const text = content.split('\n')[line - 1] ?? '';
  const target = [...text.matchAll(/"((es(?=20)|node)(\d{2,4})(?:\.[a-z.]+)?)"/gi)].find(
    ([, , kind = '', digits]) =>
      known.every(
        ([, other, number]) => other !== kind.toLowerCase() || Number(digits) > Number(number),
      ),
  );
  return option === undefined || target === undefined
    ? null
    : `The settings ask for ${target[1]} (${option}), which the installed TypeScript does not support.`;
}

const isDeclaration = (path: string): boolean => /\.d(?:\.[\w-]+)?\.[cm]?ts$/.test(path);

/** Code that disables checking is checked; nothing else changes. */
function checked({ path, content }: GateFile): GateFile {
  return {
    path,
    content:
      gateLanguageOf(path) === 'typescript'
        ? content.replaceAll(suppression, '@ts-checked')
        : content,
  };
}

function readDiagnostic(text: string, files: readonly GateFile[]): Diagnostic {
  const [, path = '', line, code, message = ''] = diagnostic.exec(text.split('\n')[0] ?? '') ?? [];
  return {
    path,
    file: files.find((file) => file.path === path),
    line: Number(line),
    code: Number(code),
    message,
  };
}

function explain({ path, file, line, code, message }: Diagnostic): string | null {
  const name = /'([^']+)'/.exec(message)?.[1] ?? '';
  if (code === 2688) return missingTypes;
  // The settings extend those of a package.
  if (code === 6046 && file !== undefined) return newerSetting(file.content, line, message);
  if (code === 6053) return /^[@\w]/.test(name) ? missingTypes : null;
  if (declaredTwice.has(code) && (path === shimsPath || isDeclaration(path))) return missingTypes;
  if (file === undefined) return null;
  if ((code === 2307 || code === 2792) && isForeignModule(name)) return missingTypes;
  if (
    followsFromShims.has(code) &&
    (runtimeNames.has(name.split('.')[0] ?? '') || takesForeign(file.content))
  )
    return missingTypes;
  return asksNotToBeChecked(file.content, line)
    ? 'The code suppresses its own errors (@ts-ignore or similar).'
    : null;
}

/** Whether a comment above the line silences the compiler for it. */
function asksNotToBeChecked(content: string, line: number): boolean {
  const above = content
    .split('\n')
    .slice(0, line - 1)
    .toReversed();
  const last = above.find((text) => !/^\s*$/.test(text)) ?? '';
  return /^\s*(?:\/\/|\/\*|\*|\{\/\*).*@ts-(?:ignore|expect-error)\b/.test(last);
}

function takesForeign(content: string): boolean {
  return [...content.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"\n]{1,300})['"]/g)].some(
    ([, name = '']) => isForeignModule(name),
  );
}
