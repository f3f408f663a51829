import { nodeInBox } from '../../../../sandbox';
import type { CodeFile } from '../gate';
import { gateLanguageOf } from '../languages';
import { findPackage, type Tool } from '../tools';
import type { CompileGate } from './compile-gate';
import { isForeignModule, referredTypes, typescriptShims } from './typescript-shims';

const folder = '/opt/typescript';
/** Beside the code, so that what the settings name is found from there. */
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

/** Settings that must hold whatever the code's own say: nothing is written, and nothing is looked for that no box has. */
const fixedOptions = {
  noEmit: true,
  noCheck: false,
  skipLibCheck: true,
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
/** Without settings of its own, code is held to what any reader of it would see. */
const defaultOptions = {
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom', 'dom.iterable'],
  strict: false,
  experimentalDecorators: true,
};

/** Codes that only a missing type can cause, as long as shims stand for packages: type arguments to `any`, names of namespaces. */
const followsFromShims = new Set([2347, 2503, 2694, 2709, 2688, 6053]);

export const typescriptGates: readonly CompileGate[] = [
  {
    language: 'typescript',
    command: 'npx tsc --noEmit --skipLibCheck',
    find: findTypescript,
    missing: 'The TypeScript compiler is not installed beside Assay.',
    prepare(files) {
      const code = files.filter(({ path }) => gateLanguageOf(path) === 'typescript');
      const own = files.some(({ path }) => path === 'tsconfig.json');
      const settings = {
        ...(own ? { extends: './tsconfig.json' } : {}),
        compilerOptions: { ...(own ? {} : defaultOptions), ...fixedOptions },
        files: [...code.map(({ path }) => `./${path}`), `./${shimsPath}`],
        include: [],
      };
      const added = [
        { path: settingsPath, content: JSON.stringify(settings) },
        { path: shimsPath, content: typescriptShims(code) },
        ...referredTypes(code).map((name) => ({ path: `${typesFolder}/${name}/index.d.ts`, content: 'export {};\n' })),
      ];
      const kept = files.filter(({ path }) => !path.startsWith('assay.gate.')).map(checked);
      return { args: ['-p', settingsPath, '--pretty', 'false'], files: [...kept, ...added], env: {} };
    },
    environmentFault(output) {
      const errors = [...output.matchAll(/\berror TS(\d+): (.*)/g)].map(([, code, text]) => ({ code: Number(code), text: text ?? '' }));
      if (errors.length === 0) return 'The compiler ended without a diagnosis.';
      const own = errors.find(({ code, text }) => !followsFromShims.has(code) && !isForeignImport(code, text));
      return own === undefined ? 'The code needs types that are not in the box; nothing else was found wrong.' : null;
    },
  },
];

/** Code that asks not to be checked is checked; nothing else moves. */
function checked({ path, content }: CodeFile): CodeFile {
  return { path, content: gateLanguageOf(path) === 'typescript' ? content.replaceAll('@ts-nocheck', '@ts-checked') : content };
}

function isForeignImport(code: number, text: string): boolean {
  const name = code === 2307 || code === 2792 ? /module '([^']+)'/.exec(text)?.[1] : undefined;
  return name !== undefined && isForeignModule(name);
}
