export { askedTurn } from './asked';
export { askedOfRecord, recordedEpisode, recordedTurn } from './recorded';
