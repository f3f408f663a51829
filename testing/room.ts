/**
 * Times by which limits of time are widened: `npm test` shares its machine with its other tests,
 * the long form has it to itself.
 */
export const room = process.env.ASSAY_LONG === '1' ? 1 : 6;
