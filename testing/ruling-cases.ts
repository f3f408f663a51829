/**
 * Cases for the rule that selects the effective one among human rulings on a verdict. One table
 * tests both implementations: the function (`effectiveRuling`, server/verdicts/rulings.ts) and the
 * relation from which measures are computed (server/measures/labelled-verdicts.ts).
 */
export interface RulingCase {
  readonly name: string;
  /** Oldest first; all on one verdict. */
  readonly rulings: readonly {
    readonly account: string;
    /** The account's own name if omitted. */
    readonly rater?: string;
    /** A verdict of kind `task`; null is an abstention. */
    readonly verdict: 'pass' | 'partial' | 'fail' | null;
    readonly blind?: true;
    readonly undone?: true;
  }[];
  /** The effective verdict and the position of its ruling; null if there is none. */
  readonly counts: { readonly verdict: 'pass' | 'partial' | 'fail'; readonly place: number } | null;
  readonly contested: boolean;
}

const vote = (account: string, verdict: 'pass' | 'partial' | 'fail' | null) => ({
  account,
  verdict,
  blind: true as const,
});
const seen = (account: string, verdict: 'pass' | 'partial' | 'fail' | null) => ({
  account,
  verdict,
});

export const rulingCases: readonly RulingCase[] = [
  { name: 'nobody ruled', rulings: [], counts: null, contested: false },
  {
    name: 'one rules in sight',
    rulings: [seen('ann', 'fail')],
    counts: { verdict: 'fail', place: 0 },
    contested: false,
  },
  {
    name: 'of two in sight the latest counts',
    rulings: [seen('ann', 'fail'), seen('ben', 'pass')],
    counts: { verdict: 'pass', place: 1 },
    contested: false,
  },
  {
    name: 'the latest in sight was taken back, and the one before counts again',
    rulings: [seen('ann', 'fail'), { ...seen('ben', 'pass'), undone: true }],
    counts: { verdict: 'fail', place: 0 },
    contested: false,
  },
  {
    name: 'one vote',
    rulings: [vote('ann', 'fail')],
    counts: { verdict: 'fail', place: 0 },
    contested: false,
  },
  {
    name: 'votes that agree: the latest of them is named',
    rulings: [vote('ann', 'fail'), vote('ben', 'fail')],
    counts: { verdict: 'fail', place: 1 },
    contested: false,
  },
  {
    name: 'two votes disagree',
    rulings: [vote('ann', 'fail'), vote('ben', 'pass')],
    counts: null,
    contested: true,
  },
  {
    name: 'two of three votes',
    rulings: [vote('ann', 'fail'), vote('ben', 'pass'), vote('cid', 'fail')],
    counts: { verdict: 'fail', place: 2 },
    contested: false,
  },
  {
    name: 'two of three votes, the minority being the latest',
    rulings: [vote('ann', 'fail'), vote('cid', 'fail'), vote('ben', 'pass')],
    counts: { verdict: 'fail', place: 1 },
    contested: false,
  },
  {
    name: 'two of four votes outnumber one and one',
    rulings: [
      vote('ann', 'fail'),
      vote('ben', 'pass'),
      vote('cid', 'partial'),
      vote('dan', 'fail'),
    ],
    counts: { verdict: 'fail', place: 3 },
    contested: false,
  },
  {
    name: 'of each rater the latest vote',
    rulings: [vote('ann', 'fail'), vote('ben', 'pass'), vote('ann', 'pass')],
    counts: { verdict: 'pass', place: 2 },
    contested: false,
  },
  {
    name: 'many votes of one rater are one vote',
    rulings: [
      vote('ann', 'fail'),
      vote('ann', 'fail'),
      vote('ann', 'fail'),
      vote('ben', 'pass'),
      vote('cid', 'pass'),
    ],
    counts: { verdict: 'pass', place: 4 },
    contested: false,
  },
  {
    name: 'the latest vote of a rater was taken back: the one before counts again',
    rulings: [vote('ann', 'fail'), { ...vote('ann', 'pass'), undone: true }, vote('ben', 'fail')],
    counts: { verdict: 'fail', place: 2 },
    contested: false,
  },
  {
    name: 'raters of one account with different names',
    rulings: [
      { ...vote('key', 'fail'), rater: 'ann' },
      { ...vote('key', 'pass'), rater: 'ben' },
      { ...vote('key', 'pass'), rater: 'cid' },
    ],
    counts: { verdict: 'pass', place: 2 },
    contested: false,
  },
  {
    name: 'one name under two accounts is two raters',
    rulings: [
      { ...vote('key', 'fail'), rater: 'ann' },
      { ...vote('ann', 'pass'), rater: 'ann' },
    ],
    counts: null,
    contested: true,
  },
  {
    name: 'a ruling by someone who saw the verdict decides contested votes',
    rulings: [vote('ann', 'fail'), vote('ben', 'pass'), seen('cid', 'pass')],
    counts: { verdict: 'pass', place: 2 },
    contested: false,
  },
  {
    name: 'and settles against a majority',
    rulings: [vote('ann', 'fail'), vote('ben', 'fail'), seen('cid', 'pass')],
    counts: { verdict: 'pass', place: 2 },
    contested: false,
  },
  {
    name: 'a vote after that decision changes nothing',
    rulings: [vote('ann', 'fail'), seen('cid', 'pass'), vote('ben', 'fail')],
    counts: { verdict: 'pass', place: 1 },
    contested: false,
  },
  {
    name: 'the settling was taken back: the votes are contested again',
    rulings: [vote('ann', 'fail'), vote('ben', 'pass'), { ...seen('cid', 'pass'), undone: true }],
    counts: null,
    contested: true,
  },
  {
    name: 'an abstention is no vote',
    rulings: [vote('ann', 'fail'), vote('ben', null)],
    counts: { verdict: 'fail', place: 0 },
    contested: false,
  },
  {
    name: 'an abstention after a vote leaves the vote',
    rulings: [vote('ann', 'fail'), vote('ann', null)],
    counts: { verdict: 'fail', place: 0 },
    contested: false,
  },
  {
    name: 'a vote for neither side counts as one',
    rulings: [vote('ann', 'partial'), vote('ben', 'partial'), vote('cid', 'pass')],
    counts: { verdict: 'partial', place: 1 },
    contested: false,
  },
  {
    name: 'all votes were taken back',
    rulings: [{ ...vote('ann', 'fail'), undone: true }],
    counts: null,
    contested: false,
  },
];
