export { type MatchedClaim, matchClaims, type TracedFigure } from './match';
export { type ClaimOutput, type ClaimPlace, dataText, unwrapData } from './output';
export { createOwnWords } from './own-words';
export { type Claim, splitClaims } from './split';
