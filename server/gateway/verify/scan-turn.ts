import { IntegrityDetail, type TurnContent } from '../../domain';
import type { SourceContents } from '../../figures';
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

/** The sources in a request; null if it cannot be parsed, so that the answer has no sources. */
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
 * The verifier's subject before there is an answer, with parsed sources. Takes 1 ms per 10 KiB of
 * sources that are not in `known`.
 */
export function scanSubject(
  sources: ReadRequest | null,
  allowUserFigures: boolean,
  known: SourceContents | null = null,
): IntegritySubject {
  const config = IntegrityConfig.parse({ allow_user_figures: allowUserFigures });
  return withSourcesRead(
    integritySubject(asStored(sources, { output: '', envelope: null, repromptUsed: false })),
    config,
    known,
  );
}

/**
 * Compares an answer with sources, using the same verifier as for stored turns, so a worker will
 * reach the same verdict. Null if the verifier returned no verdict.
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

/** The future turn as verifiers read it. */
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
    usage: [],
    metadata: {},
    record: null,
    // It is not stored.
    masker: null,
  });
  return readTurn(text);
}
