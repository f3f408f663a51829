// A mutant of a test is a copy with one assertion changed so that it must fail. If a mutant passes,
// the code controls its own test results, and the pass of the original proves nothing (S-118). Each
// run draws the changes at random, and a mutant is like any other test: code that does not know the
// right answer cannot distinguish it from the original.
import { randomInt } from 'node:crypto';
import type { Node } from 'web-tree-sitter';
import type { GateFile } from '../gate';

export interface MutantEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** One copy of the test files, all of whose tests are mutants. */
export interface MutantRun {
  readonly tests: readonly GateFile[];
  /** For each mutant: its id or a part of it, and its file. */
  readonly mustFail: readonly { readonly id: string; readonly path: string }[];
}

export interface MutatedFile {
  readonly content: string;
  /** One for each mutant: a part of its name. */
  readonly words: readonly string[];
}

export const oddNumber = (): number => randomInt(1_000, 9_999);

/** @returns letters and a digit, valid in a name or a title */
export function randomWord(): string {
  const letters = Array.from({ length: 6 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  return `${letters}${randomInt(10)}`;
}

/** @param start position of `text` in the file that the edits refer to */
export function applyMutantEdits(text: string, edits: readonly MutantEdit[], start = 0): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce(
      (whole, { from, to, text: put }) =>
        whole.slice(0, from - start) + put + whole.slice(to - start),
      text,
    );
}

export const replace = (node: Node, text: string): MutantEdit => ({
  from: node.startIndex,
  to: node.endIndex,
  text,
});
export const insert = (at: number, text: string): MutantEdit => ({ from: at, to: at, text });

/** @returns `count` of the items, drawn at random, in their order; all if there are fewer */
export function sample<T>(items: readonly T[], count: number): readonly T[] {
  const left = items.map((item, index) => ({ item, index }));
  const drawn: typeof left = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(randomInt(left.length), 1));
  return drawn.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}

export const children = (node: Node): readonly Node[] =>
  node.namedChildren.filter((child) => child !== null && child.type !== 'comment');

/** How a test compares the changed value: a tolerance or a list may include values nearby. */
export type ComparisonKind = 'exactly' | 'closely' | 'in a list';

/** @param text digits, at most 15 */
export function otherInteger(text: string, compared: ComparisonKind): string {
  if (compared === 'in a list') return `${oddNumber()}${text}`.slice(0, 15);
  const [value, step] = [Number(text), randomInt(1, 10)];
  return String(value >= step && randomInt(2) === 0 ? value - step : value + step);
}

/** @param text digits with a point, at most 15 before it */
export function otherFraction(text: string, compared: ComparisonKind): string {
  const [whole = '0', part = '0'] = text.split('.');
  return `${otherInteger(whole, compared)}.${part}`;
}

/** Added to a number, it exceeds any tolerance and any item of a list in a sensible test. */
export const beyondTolerance = '1' + '0'.repeat(14);

/** Maximum mutants of one file; if it has more assertions, they are sampled. */
const mutantsOfFile = 40;

export interface FoundTest {
  /** The copied statement, including decorators. */
  readonly whole: Node;
  /** Position of the added word in its name or title. */
  readonly nameEnd: number;
  /** One for each assertion that can be changed. */
  readonly changes: readonly MutantEdit[];
}

/**
 * Replaces each test with one mutant for each of its assertions.
 * @param empty replaces a test without an assertion that can be changed
 * @param between separates a name from the word added to it
 */
export function mutateEach(
  source: string,
  tests: readonly FoundTest[],
  { empty, between }: { readonly empty: string; readonly between: string },
): MutatedFile {
  const chosen = new Set(
    sample(
      tests.flatMap(({ changes }) => changes),
      mutantsOfFile,
    ),
  );
  const words: string[] = [];
  const edits = tests.map(({ whole, nameEnd, changes }) => {
    const copies = changes
      .filter((change) => chosen.has(change))
      .map((change) => {
        const word = randomWord();
        words.push(word);
        return applyMutantEdits(
          whole.text,
          [change, insert(nameEnd, `${between}${word}`)],
          whole.startIndex,
        );
      });
    // The file may indent with tabs or spaces.
    const indent = source.slice(whole.startIndex - whole.startPosition.column, whole.startIndex);
    return replace(whole, copies.length > 0 ? copies.join(`\n\n${indent}`) : empty);
  });
  return { content: applyMutantEdits(source, edits), words };
}
