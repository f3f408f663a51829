import type { ScannedFigure } from '../scan';
import { amountsOf, gapsOf, NEXT_PART, type RowsIn } from './row-turns';
import type { Sentence } from './sentence';

/** Text after it belongs to another row. */
const CONTRAST = /\b(?:against|versus|vs\.?|compared (?:with|to)|than|whereas)\b/i;

/**
 * Whether the single row name in a sentence can be that of a figure's row: not if it is bound to
 * another figure ("14 kits, 3 gateways and freight of 195"; "38.20 in the control, 37.65 with the
 * button") or the two are contrasted ("5.62, against 1.07 on node-c").
 */
export function isClaimed(
  figure: ScannedFigure,
  { from, text, figures }: Sentence,
  rowsIn: RowsIn,
  isQuantity: (word: string) => boolean,
): boolean {
  const amounts = amountsOf(figures);
  const i = amounts.indexOf(figure);
  if (OTHER_TIME.test(text.slice(figure.to - from, figure.to - from + REACH))) return false;
  if (amounts.length < 2 || i === -1) return true;
  const gaps = gapsOf(amounts, from, text);
  const [at, other] = gaps.flatMap((gap, position) => (rowsIn(gap).size > 0 ? [position] : []));
  if (at === undefined || other !== undefined) return true;
  const gap = gaps[at] ?? '';
  const opens = at === 0 ? 0 : gap.search(NEXT_PART);
  const isBehind = opens === -1 || rowsIn(gap.slice(0, opens)).size > 0;
  if (at < i && gaps.slice(at + 1, i + 1).some((each) => namesOther(each, isQuantity)))
    return false;
  if (at <= i)
    return (
      (at === 0 || !isBehind || opens === -1) &&
      !gaps.slice(at + 1, i + 1).some((each) => CONTRAST.test(each))
    );
  if (at < amounts.length) return isBehind && i === at - 1;
  return !gaps.slice(i + 1, at).some((each) => CONTRAST.test(each));
}

/** "9.1 kW in the previous quarter": another row than the named one. */
const OTHER_TIME =
  /^[^.,;:()\d]{0,20}\b(?:the (?:previous|prior|preceding|next|following) (?:day|week|month|quarter|year|season)|(?:a|one) (?:day|week|month|quarter|year) (?:earlier|before|later))\b/iu;
const REACH = 60;

const OTHER = /(?:^|[,;]|\band)\s+(?:the|an?)\s(\p{L}+)(?:\s(\p{L}+))?\s*[$€£¥]?$/iu;

/** "…, the saw $97": the words right before the figure name something other than a quantity. */
function namesOther(gap: string, isQuantity: (word: string) => boolean): boolean {
  const match = OTHER.exec(gap);
  return (
    match !== null &&
    ![match[1], match[2]].some(
      (word) =>
        word !== undefined && (isQuantity(word.toLowerCase()) || NO_THING.has(word.toLowerCase())),
    )
  );
}

const NO_THING = new Set('of at is was by to with total sum rest other same high low'.split(' '));
