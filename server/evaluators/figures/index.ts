export { settleCitations } from './citations';
export { parseEnvelope } from './envelope';
export { renderFooter } from './footer';
export { markUnsourced } from './mark';
export { renderReprompt } from './reprompt';
export { type ScannedFigure, scanFigures } from './scan';
export { SourceIndex } from './source-index';
export { figureOf, type Trace, traceFigures } from './trace';
