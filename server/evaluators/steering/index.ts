export { isTrimmed, type TurnMessage } from './compose-turn';
export { judgeTurn } from './judge-turn';
export { quotesVerifier } from './read-steering';
export { renderSteering } from './render-steering';
