export { priceRows } from './models/price-rows';
export { type PreparedAnswer, answerRequestOnce, pruneAnswers } from './intake/answer-once';
export { assembleClaimed } from './assembly/assemble-claimed';
export { recordDeadLetters } from './intake/dead-letters';
export { createTurnWriter, type TurnWriter } from './intake/commit';
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
export { inputExcerptOf } from './intake/input-excerpt';
export { prepareTurn, type PreparedTurn, writtenTurn } from './intake/prepare';
export { readTurn } from './read/read';
export { exportAnswer, type OtlpSignal, statusAnswer } from './otlp/answer';
export { ingestExport } from './intake/ingest-export';
export { ingestLogs } from './intake/ingest-logs';
export { ingestBatch } from './langfuse/ingest-batch';
export { ingestTurns } from './intake/ingest-turns';
export { isKnownContent } from './intake/store-turn-version';
export type {
  AwaitedVerdict,
  PlanTurns,
  PlannedVerifications,
  PlannedVerification,
  RuleTurn,
  PlanTrace,
  RuleDecision,
  TurnOrigin,
} from './intake/plan-turns';
export { asRuleTurn } from './intake/plan-turns';
export { getSpan } from './read/get-span';
/** @internal For tests of other modules. */
export type { SpanContent } from './read/get-span';
export { getTrace, type SentScore, type TraceTurn } from './read/get-trace';
export type { TurnMark } from './read/marks';
export { listTraceSpans, type TraceSpan } from './read/list-trace-spans';
export { getTurnPage } from './read/get-turn-page';
export { getSession, listSessions, type SessionRow } from './read/list-sessions';
export { listSpans, type SpanRow } from './read/list-spans';
export { listTraces, listTraceValues, type TraceRow } from './read/list-traces';
export { listReceived } from './read/list-received';
export {
  getWholeTurn,
  listSessionTurns,
  listTurns,
  type TurnsPage,
  type TurnWithMarks,
} from './read/list-turns';
export { listTurnsOf, type SessionTurn } from './read/list-turns-of';
export { cutRows } from './import/cut-rows';
export { csvCells } from './import/row';
export { importKind, startImport } from './import/start';
export { createImportStep } from './import/step';
export type { LabelOf } from './import/store-judgements';
export { decodeSegment } from './otlp/decode-segment';
export { readExport } from './otlp/read-export';
export { insertSessions } from './intake/count-intake';
export { insertPipelines } from './import/store-pipelines';
export {
  deleteAnswers,
  deleteDeadLetters,
  deletePipelines,
  deleteSegments,
  deleteSessions,
  deleteSessionsIf,
  deleteTurns,
  prunePipelines,
} from './erase';
export { identityOf, isModel, modelNamesOf } from './models/identity-sql';
export {
  deleteAlias,
  deleteOwnPrice,
  listModelSettings,
  putAlias,
  putOwnPrice,
} from './models/edit-models';
export { createRecountStep, type FollowCosts, recountKind } from './models/recount';
export { registerModelNames, resolveModelNames } from './models/register-names';
export { loadTurnsWithin } from './read/load-turns-within';
export { planMore } from './intake/plan-more';
