// The languages of the files, by file name only, and the gates that exist for them (QEL-27,
// QEL-32).
import type { GateLanguage } from '../../domain';

const languageOf: ReadonlyMap<string, GateLanguage> = new Map([
  ...['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map(
    (extension) => [extension, 'typescript'] as const,
  ),
  ['py', 'python'],
  ['go', 'go'],
  ['rs', 'rust'],
  ['java', 'java'],
  ['cs', 'csharp'],
]);

/**
 * Code that could be compiled or run if there were a gate. Other files, such as style sheets, need
 * no note.
 */
const ungated = new Set(
  (
    'rb php swift kt kts scala c h cc cpp cxx hpp m mm lua pl pm r dart ex exs erl hs clj cljs groovy jl zig nim ml fs vb ' +
    'sh bash zsh ps1 sql vue svelte'
  ).split(' '),
);

function extensionOf(path: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

export function gateLanguageOf(path: string): GateLanguage | null {
  return languageOf.get(extensionOf(path)) ?? null;
}

/** @returns distinct languages in the order of the table */
export function gateLanguages(paths: readonly string[]): readonly GateLanguage[] {
  const languages = new Set(paths.map(gateLanguageOf));
  return [...new Set(languageOf.values())].filter((language) => languages.has(language));
}

/** @returns a note for each extension of code without a gate, in the order of the files */
export function noGateNotes(paths: readonly string[]): readonly string[] {
  const extensions = new Set(paths.map(extensionOf).filter((extension) => ungated.has(extension)));
  return [...extensions].map(
    (extension) => `No proof gate available for .${extension}. Code was not verified.`,
  );
}
