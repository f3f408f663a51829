// Copies of test files in which every test must fail: see `mutant.ts`.
import { parseCode, parsedLanguageOf } from '../../structure';
import type { GateFile, TestRunner } from '../gate';
import type { MutantRun, MutatedFile } from './mutant';
import { mutatePython } from './python';
import { mutateScript, mutateTitled } from './script';

/** Milliseconds for parsing all test files. */
const parseMs = 2_000;

/**
 * @param tests all files of the request's `run_tests`
 * @param isTest whether the runner runs a file
 * @returns runs of mutants; null when parsing exceeds its time
 */
export async function mutateTests(
  runner: TestRunner,
  tests: readonly GateFile[],
  isTest: (path: string) => boolean,
): Promise<readonly MutantRun[] | null> {
  const mutable = tests.filter(
    ({ path }) => isTest(path) && !(runner === 'pytest' && marksPackage(path)),
  );
  const otherTests = tests.filter((file) => !mutable.includes(file));
  const deadline = performance.now() + parseMs;
  const mutated = await Promise.all(
    mutable.map(async (file) => ({
      path: file.path,
      files: await mutateFile(runner, file, deadline),
    })),
  );
  if (mutated.some(({ files }) => files === null)) return null;
  if (runner === 'node') {
    return mutated.flatMap(({ path, files }) =>
      (files ?? []).map(({ content }) => ({
        tests: [...otherFiles(tests, path), { path, content }],
        mustFail: [{ id: path, path }],
      })),
    );
  }
  const copies = mutated.flatMap(({ path, files }) =>
    (files ?? []).map((file) => ({ path, ...file })),
  );
  return [
    {
      tests: [...otherTests, ...copies.map(({ path, content }) => ({ path, content }))],
      mustFail: copies.flatMap(({ path, words }) => words.map((id) => ({ id, path }))),
    },
  ];
}

/** By default pytest collects no tests from this file. */
const marksPackage = (path: string): boolean => /(?:^|\/)__init__\.py$/u.test(path);

const otherFiles = (tests: readonly GateFile[], path: string): readonly GateFile[] =>
  tests.filter((file) => file.path !== path);

async function mutateFile(
  runner: TestRunner,
  { path, content }: GateFile,
  deadline: number,
): Promise<readonly MutatedFile[] | null> {
  const language = parsedLanguageOf(path);
  const tree = language === null ? null : await parseCode(language, content, deadline);
  if (tree === null) return null;
  try {
    if (runner === 'unittest' || runner === 'pytest')
      return [mutatePython(tree.rootNode, content, runner)];
    if (runner === 'node')
      return mutateScript(tree.rootNode, content).map((changed) => ({
        content: changed,
        words: [],
      }));
    return [mutateTitled(tree.rootNode, content)];
  } finally {
    tree.delete();
  }
}
