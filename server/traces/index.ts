export { createTurnWriter, type NewTurn, type TurnWriter, type WriteResult } from './commit';
export { findTurn, getOriginal, getTurn, loadTurns, type StoredTurn, turnKey } from './get-turn';
export { prepareTurn, type PreparedTurn } from './prepare';
export { takeTurns, type TurnsTaken } from './take-turns';
