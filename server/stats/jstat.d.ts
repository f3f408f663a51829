/**
 * Types for the part of jStat that the tests use: an independent implementation to compare
 * distributions.ts with.
 */
declare module 'jstat' {
  interface Distribution {
    cdf(x: number, ...parameters: number[]): number;
    inv(p: number, ...parameters: number[]): number;
    pdf(x: number, ...parameters: number[]): number;
  }
  export const jStat: {
    readonly beta: Distribution;
    readonly binomial: Distribution;
    readonly chisquare: Distribution;
    readonly normal: Distribution;
    readonly studentt: Distribution;
    gammaln(x: number): number;
    lowRegGamma(a: number, x: number): number;
  };
  const whole: { readonly jStat: typeof jStat };
  export default whole;
}
