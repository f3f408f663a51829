import { IntegrityDetail, type TurnContent } from '../../domain';
import { readTurn } from '../../ingest';
import {
  decideFigures,
  IntegrityConfig,
  planFigures,
  integritySubject,
  type IntegritySubject,
  walkPlan,
  withSourcesRead,
} from '../../verifiers';
import type { ReadRequest } from '../dialects/dialect';
import { dialectOf } from '../dialects/dialects';
import { readWithSources } from '../dialects/named-sources';
import { turnText } from '../record/turn-text';
import type { CallSources, ScanQuestion } from './deps';

/**
 * The part of a request that answers are held against; null: it cannot be read, and answers to it
 * have no sources.
 */
export function readSources({
  dialect,
  body,
  allowUserFigures,
  sources,
}: Omit<CallSources, 'callId'>): ReadRequest | null {
  const { buffer, byteOffset, byteLength } = body;
  const read = readWithSources(
    dialectOf(dialect),
    Buffer.from(buffer, byteOffset, byteLength),
    sources,
  );
  if (read === null) return null;
  return {
    ...read,
    messages: allowUserFigures ? read.messages.filter(({ role }) => role === 'user') : [],
  };
}

/**
 * What the verifier is given of a turn before there is an answer, its sources read. Costs 1 ms for
 * some 10 KiB of them.
 */
export function subjectOf(
  sources: ReadRequest | null,
  allowUserFigures: boolean,
): IntegritySubject {
  const config = IntegrityConfig.parse({ allow_user_figures: allowUserFigures });
  return withSourcesRead(
    integritySubject(asStored(sources, { output: '', envelope: null, repromptUsed: false })),
    config,
  );
}

/**
 * Holds an answer against sources, by the very verifier that stored turns go through: what is told
 * before delivery is what a worker will find again. Null: the verifier gave no verdict.
 */
export async function scanTurn(
  sources: IntegritySubject,
  question: Omit<ScanQuestion, keyof CallSources | 'projectId'>,
  allowUserFigures: boolean,
) {
  const config = IntegrityConfig.parse({
    allow_user_figures: allowUserFigures,
    derived_counts_as_sourced: question.derivedCountsAsSourced,
  });
  const { output, envelope, repromptUsed } = integritySubject(asStored(null, question));
  const subject: IntegritySubject = { ...sources, output, envelope, repromptUsed };
  const walk = await walkPlan(planFigures(subject, config), {
    now: () => performance.now(),
    signal: new AbortController().signal,
  });
  const decided = decideFigures(walk, subject, config);
  return decided.verdict === null ? null : IntegrityDetail.parse(decided.detail);
}

/** The turn that will be stored, as verifiers read it. */
function asStored(
  request: ReadRequest | null,
  { output, envelope, repromptUsed }: Pick<ScanQuestion, 'output' | 'envelope' | 'repromptUsed'>,
): TurnContent {
  const now = new Date().toISOString();
  const text = turnText({
    id: 'held',
    sessionId: '',
    traceId: null,
    model: null,
    startedAt: now,
    endedAt: now,
    request,
    output,
    envelope,
    repromptUsed,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    metadata: {},
    record: null,
  });
  return readTurn(text);
}
