// Code that does not parse cannot pass in any compiler environment: if a compiler returned no
// result, the parser decides. If it compiled the files, the compiler decides, since it may know
// newer syntax than the parser.
import { findSyntaxErrors } from '../structure';
import type { GateFile, GateResult } from './gate';
import { gateLanguageOf } from './languages';

const names: Readonly<Record<GateResult['language'], string>> = {
  typescript: 'JavaScript or TypeScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  csharp: 'C#',
};

/**
 * @returns the results; an inconclusive compile gate becomes failed if a file of its language does
 * not parse
 */
export async function failUnparsable(
  results: readonly GateResult[],
  files: readonly GateFile[],
): Promise<readonly GateResult[]> {
  const open = results.filter(isInconclusive);
  if (open.length === 0) return results;
  const languages = new Set(open.map(({ language }) => language));
  const errors = await findSyntaxErrors(files.filter(({ path }) => isOf(languages, path)));
  return results.map((result) => {
    const error = errors.find(({ path }) => gateLanguageOf(path) === result.language);
    if (error === undefined || !isInconclusive(result)) return result;
    const reason = `${error.path}, line ${error.line}, is not valid ${names[result.language]}: found by the parser (the compiler: ${(result.explanation ?? result.reason ?? 'no result').slice(0, 300)})`;
    return { ...result, status: 'failed', reason, explanation: null };
  });
}

function isInconclusive({ kind, status, language, exitCode, receipt }: GateResult): boolean {
  if (kind !== 'compile' || status === 'passed' || status === 'failed') return false;
  // The TypeScript compiler reads every file, and reports each that does not parse before it
  // resolves any package.
  return (
    language !== 'typescript' || receipt?.end !== 'exit' || exitCode === 126 || exitCode === 127
  );
}

function isOf(languages: ReadonlySet<GateResult['language']>, path: string): boolean {
  const language = gateLanguageOf(path);
  return language !== null && languages.has(language);
}
