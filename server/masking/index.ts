export { maskJson } from './mask-json';
export { createMasker, type Masker, maskingKey, type MaskRules } from './masker';
export { maskOtlpJson } from './otlp-json';
export { maskOtlpProto, type OtlpSignal } from './otlp-proto';
export { readMaskPath, startPaths } from './paths';
