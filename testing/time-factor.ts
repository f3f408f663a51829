/**
 * Factor by which time limits are widened: `npm test` runs other tests on the machine at the same
 * time, but the long form does not.
 */
export const timeFactor = process.env.ASSAY_LONG === '1' ? 1 : 6;
