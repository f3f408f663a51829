export { createMaskBook, type MaskBook, maskRulesOf } from './mask-book';
export { countMasked } from './masked-tally';
export { maskJson } from './mask-json';
export { maskMember } from './mask-member';
export { maskRows } from './mask-rows';
export { createMasker, type MaskedCounts, type Masker, type MaskRules } from './masker';
export { maskOtlpJson } from './otlp-json';
export { maskOtlpProto } from './otlp-proto';
export { startPaths } from './paths';
