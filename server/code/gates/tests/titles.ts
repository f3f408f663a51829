// Names of tests in the sources of Vitest and Jest, found without running them: those written as
// one literal.

const call =
  /(?<![\w$.])(?:it|test)(?:\.(?:only|concurrent|sequential|fails|failing|skip|todo))*\s*\(\s*(?:'((?:[^'\\\n]|\\.){1,500})'|"((?:[^"\\\n]|\\.){1,500})"|`((?:[^`\\$]|\\.){1,500})`)/g;

/** @returns names as the runner reports them, without those from loops and templates */
export function testTitles(source: string): readonly string[] {
  // A line that is entirely a comment; a title inside a longer comment counts as expected, and is
  // then missing.
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(call)].map(([, single, double, template]) =>
    unescapeText(single ?? double ?? template ?? ''),
  );
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/g, (_all, character: string) =>
    character === 'n' ? '\n' : character === 't' ? '\t' : character,
  );
}
