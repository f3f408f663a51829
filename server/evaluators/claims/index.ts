export { type MatchedClaim, matchClaims, type TracedFigure } from './match';
export { type ClaimOutput, type ClaimPlace, dataText, unwrapData } from './output';
export { createClaimWords } from './claim-words';
export { type Claim, splitClaims } from './split';
