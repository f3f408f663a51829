/** A segment of a merged diff of two texts. */
export interface TextStretch {
  readonly text: string;
  readonly state: 'same' | 'added' | 'removed';
}

/**
 * The most sentences per text: the cost of the comparison grows with the product of both numbers.
 */
const max = 400;

/**
 * A sentence-level diff of a text against an earlier one, in reading order; null if the texts are
 * too long to compare. Uses the longest common subsequence (Hunt and McIlroy 1976) after it removes
 * the common prefix and suffix.
 */
export function changesOfText(before: string, after: string): readonly TextStretch[] | null {
  const [a, b] = [sentencesOf(before), sentencesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < Math.min(a.length, b.length) - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++;
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (middleA.length > max || middleB.length > max) return null;
  return joined([
    ...asSame(a.slice(0, start)),
    ...compared(middleA, middleB),
    ...asSame(a.slice(a.length - end)),
  ]);
}

/**
 * Splits at the ends of sentences and lines. White space after an end belongs to the preceding
 * sentence, so that the parts concatenate to the text.
 */
function sentencesOf(text: string): string[] {
  return (
    text.match(/[^\n.!?。！？]*(?:[\n.!?。！？]+\s*|$)/gu)?.filter((part) => part !== '') ?? []
  );
}

function compared(a: readonly string[], b: readonly string[]): TextStretch[] {
  const lengths = commonLengths(a, b);
  const at = (i: number, j: number): number => lengths[i * (b.length + 1) + j] ?? 0;
  const found: TextStretch[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [lost, gained] = [a[i], b[j]];
    if (lost !== undefined && lost === gained) {
      found.push({ text: lost, state: 'same' });
      i++;
      j++;
    } else if (lost !== undefined && (gained === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ text: lost, state: 'removed' });
      i++;
    } else {
      found.push({ text: gained ?? '', state: 'added' });
      j++;
    }
  }
  return found;
}

/**
 * At `i * (b.length + 1) + j`: the length of the longest common subsequence of the remainders from
 * `i` and `j`.
 */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const next = lengths[(i + 1) * width + j + 1] ?? 0;
      lengths[i * width + j] =
        a[i] === b[j]
          ? next + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  return lengths;
}

const asSame = (parts: readonly string[]): TextStretch[] =>
  parts.map((text) => ({ text, state: 'same' }));

/** Merges adjacent segments with the same state. */
function joined(stretches: readonly TextStretch[]): TextStretch[] {
  const found: TextStretch[] = [];
  for (const stretch of stretches) {
    const last = found.at(-1);
    if (last?.state === stretch.state)
      found[found.length - 1] = { text: last.text + stretch.text, state: last.state };
    else found.push(stretch);
  }
  return found;
}
