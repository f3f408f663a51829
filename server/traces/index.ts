export { answerOnce, pruneAnswers } from './answer-once';
export { createTurnWriter, type NewTurn, type TurnWriter, type WriteResult } from './commit';
export { findSentAnswer, findTurn, getOriginal, getTurn, loadTurns, partBySize, type StoredTurn, turnKey } from './get-turn';
export { prepareTurn, type PreparedTurn } from './prepare';
export { takeTurns, type TurnsTaken } from './take-turns';
export { isKnownContent } from './keep-version';
