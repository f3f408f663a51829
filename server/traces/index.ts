export { type Answer, answerOnce, pruneAnswers } from './answer-once';
export { assembleClaimed } from './assemble-claimed';
export { buryRejected } from './bury';
export { createTurnWriter, type TurnWriter } from './commit';
export { createPooledWriter, packTurn, writerServices } from './write-large';
export { createSegmentWriter, type SegmentWriter } from './segment-writer';
export type { NewTurn } from './store-turns';
export {
  findSentAnswer,
  findTurn,
  getOriginal,
  loadTurns,
  partBySize,
  type StoredTurn,
  turnKey,
} from './get-turn';
/** @internal For tests of other rooms. */
export { getTurn } from './get-turn';
export { prepareTurn, type PreparedTurn, writtenTurn } from './prepare';
export { readTurn } from './read';
export { exportAnswer, statusAnswer } from './otlp/answer';
export { takeExport } from './take-export';
export { takeTurns } from './take-turns';
export { isKnownContent } from './keep-version';
export type { Owe, Owed, OwedVerdict, OwingTurn, RuleDecision, TurnOrigin } from './owe';
export { owingTurn } from './owe';
export { getSpan } from './get-span';
/** @internal For tests of other rooms. */
export type { SpanContent } from './get-span';
export { getTrace, type SentScore, type TraceTurn } from './get-trace';
export { getTurnPage } from './get-turn-page';
export { getSession, listSessions, type SessionRow } from './list-sessions';
export { listSpans, type SpanRow } from './list-spans';
export { listTraces, listTraceValues, type TraceRow } from './list-traces';
export { listReceived } from './list-received';
export { listTurnsOf, type SpokenTurn } from './list-turns-of';
export { importKind, startImport } from './import/start';
export { createImportStep } from './import/step';
export { decodeSegment } from './otlp/decode-segment';
export { readExport } from './otlp/read-export';
