export { standardScale } from './complete';
export { maxPoints } from './dimensions';
export { measureFiles, type Static, staticPoints } from './points';
export { type Proof, proofOf } from './proof';
export { bonusOf, whyNoBonus } from './semantic';
export { type DimensionPoints, type Total, scoreTotal } from './total';
