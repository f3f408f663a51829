export { type Answer, answerOnce, pruneAnswers } from './intake/answer-once';
export { assembleClaimed } from './assembly/assemble-claimed';
export { buryRejected } from './intake/bury';
export { createTurnWriter, type TurnWriter, type WriteResult } from './intake/commit';
export { createPooledWriter, packTurn, writerServices } from './intake/write-large';
export { createSegmentWriter, type SegmentWriter } from './intake/segment-writer';
export type { NewTurn } from './intake/store-turns';
export {
  findSentAnswer,
  findTurn,
  getOriginal,
  getTurn,
  loadTurns,
  partBySize,
  type StoredTurn,
  turnKey,
} from './read/get-turn';
export { prepareTurn, type PreparedTurn, writtenTurn } from './intake/prepare';
export { readTurn } from './read/read';
export { exportAnswer, statusAnswer } from './otlp/answer';
export { type ExportTaken, takeExport } from './intake/take-export';
export { type PreparedTaken, takeTurns, type TurnsTaken } from './intake/take-turns';
export { isKnownContent } from './intake/keep-version';
export type { Owe, Owed, OwedVerdict, OwingTurn, RuleDecision, TurnOrigin } from './intake/owe';
export { owingTurn } from './intake/owe';
export { getSpan, type SpanContent } from './read/get-span';
export { getTrace, type SentScore, type TraceData, type TraceTurn } from './read/get-trace';
export { getTurnPage, type TurnPageData } from './read/get-turn-page';
export { getSession, listSessions, type SessionPage, type SessionRow } from './read/list-sessions';
export { listSpans, type SpanRow, type SpanTree } from './read/list-spans';
export { listTraces, listTraceValues, type TracePage, type TraceRow } from './read/list-traces';
export { listReceived, type ReceivedPage, type ReceivedRow } from './read/list-received';
export { listTurnsOf, type SpokenPage, type SpokenTurn } from './read/list-turns-of';
export type { MarkCount, MarkState, TurnMark } from './read/marks';
export { importKind, startImport } from './import/start';
export { createImportStep } from './import/step';
export type { LabelOf } from './import/store-judgements';
export { decodeSegment } from './otlp/decode-segment';
export { readExport } from './otlp/read-export';
export { insertSessions } from './intake/count-intake';
export { insertPipelines } from './import/store-pipelines';
export {
  deleteAnswers,
  deleteLetters,
  deletePipelines,
  deleteSegments,
  deleteSessions,
  deleteSessionsIf,
  deleteTurns,
  prunePipelines,
} from './erase';
