import type { Framework, FrameworkLanguage } from './framework';
import { frameworks } from './table';

const languages: ReadonlyMap<string, FrameworkLanguage> = new Map([
  ...['.py', '.pyi', '.pyw'].map((extension): [string, FrameworkLanguage] => [extension, 'python']),
  ...[
    '.js',
    '.jsx',
    '.mjs',
    '.cjs',
    '.ts',
    '.tsx',
    '.mts',
    '.cts',
    '.vue',
    '.svelte',
    '.prisma',
  ].map((extension): [string, FrameworkLanguage] => [extension, 'javascript']),
  ['.go', 'go'],
  ['.rs', 'rust'],
  ...['.java', '.kt', '.kts', '.groovy'].map((extension): [string, FrameworkLanguage] => [
    extension,
    'java',
  ]),
  ...['.rb', '.erb', '.ru', '.rake'].map((extension): [string, FrameworkLanguage] => [
    extension,
    'ruby',
  ]),
]);

/** By the extension of a path; null for files that import none of the frameworks. */
export function frameworkLanguageOf(path: string): FrameworkLanguage | null {
  return languages.get(/\.[a-z]{1,10}$/i.exec(path)?.[0].toLowerCase() ?? '') ?? null;
}

/**
 * Frameworks that code imports, in the order of the table. Comments were already removed from the
 * code (QEL-15), so commented-out imports do not count. Linear in its length.
 */
export function frameworksIn(code: string, language: FrameworkLanguage | null): Framework[] {
  if (language === null) return [];
  return frameworks.filter(
    (framework) =>
      framework.language === language && framework.imports.some((form) => form.test(code)),
  );
}

/**
 * Whether a file is written in a requested framework: it imports it, or has a form that needs no
 * import.
 */
export function usesFramework(framework: Framework, path: string, code: string): boolean {
  if (frameworkLanguageOf(path) !== framework.language) return false;
  const { path: ofPath, code: ofCode } = framework.signs ?? {};
  return (
    framework.imports.some((form) => form.test(code)) ||
    (ofPath !== undefined && ofPath.test(path)) ||
    (ofCode !== undefined && ofCode.test(code))
  );
}
