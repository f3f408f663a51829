export { type Answer, answerOnce, pruneAnswers } from './answer-once';
export { assembleClaimed } from './assemble-claimed';
export { buryRejected } from './bury';
export { createTurnWriter, type TurnWriter, type WriteResult } from './commit';
export { createPooledWriter, packTurn, writerServices } from './write-large';
export { createSegmentWriter, type SegmentWriter } from './segment-writer';
export type { NewTurn } from './store-turns';
export {
  findSentAnswer,
  findTurn,
  getOriginal,
  getTurn,
  loadTurns,
  partBySize,
  type StoredTurn,
  turnKey,
} from './get-turn';
export { prepareTurn, type PreparedTurn, writtenTurn } from './prepare';
export { readTurn } from './read';
export { exportAnswer, statusAnswer } from './otlp/answer';
export { type ExportTaken, takeExport } from './take-export';
export { type PreparedTaken, takeTurns, type TurnsTaken } from './take-turns';
export { isKnownContent } from './keep-version';
export type { Owe, Owed, OwedVerdict, OwingTurn, RuleDecision, TurnOrigin } from './owe';
export { owingTurn } from './owe';
export { getSpan, type SpanContent } from './get-span';
export { getTrace, type SentScore, type TraceData, type TraceTurn } from './get-trace';
export { getTurnPage, type TurnPageData } from './get-turn-page';
export { getSession, listSessions, type SessionPage, type SessionRow } from './list-sessions';
export { listSpans, type SpanRow, type SpanTree } from './list-spans';
export { listTraces, listTraceValues, type TracePage, type TraceRow } from './list-traces';
export { listReceived, type ReceivedPage, type ReceivedRow } from './list-received';
export { listTurnsOf, type SpokenPage, type SpokenTurn } from './list-turns-of';
export type { MarkCount, MarkState, TurnMark } from './marks';
export { importKind, startImport } from './import/start';
export { createImportStep } from './import/step';
export { decodeSegment } from './otlp/decode-segment';
export { readExport } from './otlp/read-export';
