// Finds the titles of tests in their source text, and the behaviour numbers in a title.

/**
 * Titles of test, it and describe, and of their `.each(table)` form. Skipped and planned tests
 * cover nothing. A title is recognized by its position after the opening bracket, which is accurate
 * enough for a list.
 * @param {string} source
 * @returns {string[]}
 */
export function findTitles(source) {
  const call = /\b(?:test|it|describe)((?:\.\w+)*)\s*\(\s*(['"`])((?:\\.|(?!\2)[\s\S])*?)\2/g;
  const each = /[\])](?:\s+as\s+const)?\s*\)\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1\s*,/g;
  const direct = [...source.matchAll(call)]
    .filter((match) => !/\.(skip|todo|fixme|step)\b/.test(match[1] ?? ''))
    .map((match) => match[3] ?? '');
  const tabled = [...source.matchAll(each)].map((match) => match[2] ?? '');
  // `test.runIf(condition)('title', …)`: one line up to the condition's end.
  const conditional = [
    ...source.matchAll(/\.(?:runIf|skipIf)\(.*\)\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1\s*,/g),
  ].map((match) => match[2] ?? '');
  const named = [
    ...source.matchAll(/\.each\(\s*\w+\s*\)\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g),
  ].map((match) => match[2] ?? '');
  return [...new Set([...direct, ...tabled, ...conditional, ...named])];
}

/**
 * `INT-1 INT-2` contains two numbers, `INT-4 to INT-7` (or `INT-4..7`, `INT-4–INT-7`) four.
 * @param {string} title
 * @param {string[]} systems
 * @returns {string[]}
 */
export function findNumbers(title, systems) {
  const one = `(${systems.join('|')})-(\\d+)`;
  const pattern = new RegExp(
    `(?<![A-Za-z0-9-])${one}\\b(?:\\s*(?:\\.\\.|–|to)\\s*(?:\\1-)?(\\d+)\\b)?`,
    'g',
  );
  /** @type {Set<string>} */
  const found = new Set();
  for (const [, system = '', from = '', to = from] of title.matchAll(pattern)) {
    const last = Number(to);
    for (let index = Number(from); index <= last && index < 1000; index++)
      found.add(`${system}-${index}`);
  }
  return [...found];
}
