import type { ScannedFigure } from '../scan';
import type { Sentence } from './sentence';

/**
 * Words for a minus sign (INT-18): "fell by 12.5%", "a loss of $300", "4% lower", "12 below zero".
 * A verb states the sign of a change, not of its start or end: "fell from 80 to 70" has no sign.
 */
const FALLING =
  'fell|falls?|fallen|falling|drop(?:s|ped|ping)?|declin(?:e[sd]?|ing)|decreas(?:e[sd]?|ing)|shr[aiu]nk(?:s|en|ing)?|contract(?:ed|ing|ion|s)|' +
  'slip(?:s|ped|ping)?|s[aiu]nk(?:s|ing)?|plunge[sd]?|plunging|plummet(?:s|ed|ing)?|tumbl(?:e[sd]?|ing)|slid(?:es?|ing)?|slump(?:s|ed|ing)?|' +
  'eased?|easing|shed(?:s|ding)?|reduc(?:e[sd]?|ing|tions?)|cut(?:s|ting)?|cool(?:s|ed|ing)|worsen(?:s|ed|ing)?|weaken(?:s|ed|ing)?|' +
  'lower(?:s|ed|ing)?|dip(?:s|ped|ping)?|div(?:e[sd]?|ing)|retreat(?:s|ed|ing)?|recede[sd]?|depreciat(?:e[sd]?|ing)|los(?:es?|t|ing)|down|off|behind';
const LACKING =
  'loss(?:es)?|deficits?|shortfalls?|outflows?|overdrawn|overdraft|minus|negative|debit(?:s|ed)?|write-?(?:down|off)s?|drawdowns?|losing|' +
  'in the red|drop|decline|decrease|fall|reduction|dip|contraction|slump';

/** A verb of change, then no word that makes the figure a level. */
const CHANGE = new RegExp(`\\b(?:${FALLING})\\b([^.;:\\d]{0,24})$`, 'i');
const LEVEL =
  /\b(?:to|from|at|below|under|than|between|and|into|of the|rose|gained|increased|up|grew)\b[^\d]{0,16}$/i;
const AMOUNT = new RegExp(
  `\\b(?:${LACKING})\\b(?:[^.;:\\d]{0,4}|[^.;:\\d]{0,12}\\b(?:of|by|to|was|is|at|reached|totall?(?:ed|ing))\\b[^.;:\\d]{0,14})$`,
  'i',
);
/** After the figure. */
const BEHIND =
  /^(?:\s|-)(?:(?:percentage )?points?\s|pp\s|degrees?\s|[°º]\s?[CF]?\s|\p{L}{1,12}\s)?(?:(?:year-(?:over|on)-year|net|annual|monthly|quarterly|daily)\s)?(?:down|lower|less|fewer|smaller|cheaper|colder|cooler|worse|slower|decline|decrease|drop|fall|loss|dip|reduction|deficit|shortfall|contraction|slump|plunge|outflow|behind|weaker)\b/iu;
const BELOW_ZERO = /^\s{0,2}(?:degrees\s{1,2}|[°º]\s?[CF]?\s{1,2})?below (?:zero|freezing)\b/i;
const REACH = 44;

export function isNegativeChange(figure: ScannedFigure, { from, text }: Sentence): boolean {
  const at = figure.from - from;
  const end = figure.to - from;
  const before = text.slice(Math.max(0, at - REACH), at);
  const change = CHANGE.exec(before);
  if (change !== null && !LEVEL.test(change[1] ?? '')) return true;
  if (AMOUNT.test(before)) return true;
  const after = text.slice(end, end + REACH);
  return BELOW_ZERO.test(after) || BEHIND.test(after);
}
