// What the quickstart shows: commands, and beneath them what they print. The walk runs the commands and
// holds the answers against it.

/**
 * @typedef {{ readonly command: string, readonly answer: string | null }} Example answer: what the
 * page prints beneath, as far as it does
 */

/**
 * @param {string} text of the page
 * @returns {Example[]} in their order
 */
export function readExamples(text) {
  const blocks = [...text.matchAll(/^```[^\n]*\n([^]*?)^```/gm)].map((match) =>
    (match[1] ?? '').trim(),
  );
  return blocks.flatMap((command, at) => {
    if (!/^curl /m.test(command)) return [];
    const next = blocks[at + 1] ?? '';
    return [{ command, answer: /^(\{|"|HTTP\/)/.test(next) ? next : null }];
  });
}

/**
 * @param {readonly Example[]} examples
 * @param {string} part of the called address
 * @returns {Example}
 */
export function exampleOf(examples, part) {
  const found = examples.find(({ command }) => command.includes(part));
  if (found === undefined) throw new Error(`The quickstart shows no command with "${part}"`);
  return found;
}

/**
 * JSON bodies of a command's calls. @param {string} command @returns {unknown[]}
 * @internal Tests alone call it.
 */
export function bodiesOf(command) {
  return [...command.matchAll(/ -d '([^']*)'/g)].map((match) => JSON.parse(match[1] ?? ''));
}

/**
 * Lines of the page's answer that the real one does not have. Ids differ from run to run, and
 * what follows an ellipsis is left out.
 * @param {string} shown
 * @param {string} real
 * @returns {string[]}
 */
export function missingLines(shown, real) {
  const has = withoutIds(real);
  return shown
    .split('\n')
    .map((line) => withoutIds(line.split('…')[0] ?? '').trim())
    .filter((line) => !has.includes(line));
}

/** @param {string} text */
function withoutIds(text) {
  return text.replaceAll(/\b(ver|call|req|chatcmpl)[_-][a-z0-9]+/g, '$1_');
}
