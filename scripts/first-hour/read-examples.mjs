// The examples of the quickstart: commands, each followed by its output. The walk runs the commands
// and compares the real output with the page.

/**
 * @typedef {{ readonly command: string, readonly answer: string | null }} Example answer: the
 * output that the page shows, null if it shows none
 */

/**
 * @param {string} text of the page
 * @returns {Example[]} in the order of the page
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
 * @param {string} part of the called URL
 * @returns {Example}
 */
export function exampleOf(examples, part) {
  const found = examples.find(({ command }) => command.includes(part));
  if (found === undefined) throw new Error(`The quickstart shows no command with "${part}"`);
  return found;
}

/**
 * JSON bodies of a command's requests. @param {string} command @returns {unknown[]}
 * @internal Only tests call it.
 */
export function bodiesOf(command) {
  return [...command.matchAll(/ -d '([^']*)'/g)].map((match) => JSON.parse(match[1] ?? ''));
}

/**
 * Lines of the page's output that the real output does not contain. Ignores ids, which differ
 * between runs, and text after an ellipsis.
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
