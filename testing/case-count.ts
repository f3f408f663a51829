const long = process.env.ASSAY_LONG === '1';

/**
 * Number of generated cases: the given number in the long form (`npm run test:long`), a tenth of it
 * but at least 20 in `npm test`.
 */
export function caseCount(many: number): number {
  return long ? many : Math.min(many, Math.max(20, Math.ceil(many / 10)));
}
