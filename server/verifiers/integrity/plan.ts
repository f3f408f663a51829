import type { Evidence, Figure, Score } from '../../domain';
import { measuredBy } from '../../evaluators';
import {
  figureOf,
  parseEnvelope,
  scanFigures,
  matchCitations,
  SourceIndex,
  type Trace,
  traceFigures,
} from '../../figures';
import type { Details, NodeResult, PlanNode } from '../plan-node';
import type { IntegrityConfig } from './config';
import { type IntegritySubject, type ReadAnswer, type MatchedFigures, sourcesOf } from './subject';

/** Envelope, then figures, then citations: deterministic, without a model (INT-14). */

const ENVELOPE = 'figures.envelope@1';
const TRACE = 'figures.trace@5';
const CITATIONS = 'figures.citations@1';
const TIMEOUT_MS = 10_000;
const EVIDENCE_MAX = 100;
/**
 * A longer text is data to import, not an answer: scanning 19 MB of figures takes 30 s and 4 GB,
 * and a traced figure takes a hundred times its own size. Sources of 19 MB take as long, and a
 * worker must finish before its lease ends. Beyond these limits there is no verdict, and
 * the score gives the reason.
 */
export const ANSWER_CHARS_MAX = 2 * 1024 * 1024;
export const SOURCES_CHARS_MAX = 8 * 1024 * 1024;
const FIGURES_MAX = 10_000;

interface TracedAnswer extends ReadAnswer {
  readonly traces: readonly Trace[];
  readonly index: SourceIndex;
}

export function planFigures(
  subject: IntegritySubject,
  config: IntegrityConfig,
): readonly PlanNode[] {
  const shared = { mustPass: false, cost: 0, timeoutMs: TIMEOUT_MS };
  return [
    {
      ...shared,
      name: 'envelope',
      evaluator: ENVELOPE,
      needs: [],
      weight: 0,
      run: () => readAnswer(subject),
    },
    {
      ...shared,
      name: 'figures',
      evaluator: TRACE,
      needs: ['envelope'],
      weight: 1,
      run: (details) => trace(detailOf<ReadAnswer>(details, 'envelope'), subject, config),
    },
    {
      ...shared,
      name: 'citations',
      evaluator: CITATIONS,
      needs: ['figures'],
      weight: 0,
      run: (details) => cite(detailOf<TracedAnswer>(details, 'figures'), subject, config),
    },
  ];
}

/** A node's detail; it exists, since the walker runs a node only after the nodes that it needs. */
function detailOf<Detail>(details: Details, node: string): Detail {
  return details.get(node) as Detail;
}

function readAnswer(subject: IntegritySubject): NodeResult {
  const sent = subject.envelope ?? null;
  // A model with structured output sends its envelope as the text of the answer.
  const envelope = parseEnvelope(sent ?? subject.output);
  const detail: ReadAnswer = { envelope, answer: envelope?.answer ?? subject.output };
  if (envelope === null && sent === null) {
    return {
      score: unscored(ENVELOPE, 'Envelope', 'no envelope was sent; the text is scanned'),
      detail,
    };
  }
  const reasoning =
    envelope === null
      ? 'the answer is not an envelope; the text is scanned'
      : `an envelope with ${envelope.facts.length} facts`;
  return { score: scored(ENVELOPE, 'Envelope', envelope === null ? 0 : 1, reasoning, []), detail };
}

function trace(
  { envelope, answer }: ReadAnswer,
  subject: IntegritySubject,
  config: IntegrityConfig,
): NodeResult {
  const index = subject.index ?? new SourceIndex(sourcesOf(subject, config.allow_user_figures));
  if (answer.length > ANSWER_CHARS_MAX)
    throw new Error(
      `the answer has ${answer.length} characters; at most ${ANSWER_CHARS_MAX} are read`,
    );
  const sourceChars = subject.sources.reduce((sum, { text }) => sum + text.length, 0);
  if (sourceChars > SOURCES_CHARS_MAX)
    throw new Error(
      `the sources have ${sourceChars} characters; at most ${SOURCES_CHARS_MAX} are read`,
    );
  const scanned = scanFigures(answer, index.sources);
  if (scanned.length > FIGURES_MAX)
    throw new Error(
      `the answer states ${scanned.length} figures; at most ${FIGURES_MAX} are traced`,
    );
  const traces = traceFigures(scanned, answer, index);
  const detail: TracedAnswer = { envelope, answer, traces, index };
  if (traces.length === 0)
    return { score: unscored(TRACE, 'Figures traced', 'the answer states no figures'), detail };
  const found = traces.filter(
    ({ item, misattribution }) => item !== null && misattribution === null,
  ).length;
  const reasoning = `${found} of ${traces.length} figures are in a source of this turn, where the sentence points`;
  const evidence = traces.slice(0, EVIDENCE_MAX).map(({ figure }) => evidenceOf(figure));
  return {
    score: scored(TRACE, 'Figures traced', found / traces.length, reasoning, evidence),
    detail,
  };
}

function cite(
  { envelope, traces, index }: TracedAnswer,
  subject: IntegritySubject,
  config: IntegrityConfig,
): NodeResult {
  const derived = config.derived_counts_as_sourced;
  if (envelope === null) {
    const detail: MatchedFigures = {
      figures: traces.map((found) => figureOf(found, index, derived)),
    };
    return {
      score: unscored(CITATIONS, 'Citations right', 'without an envelope there are no citations'),
      detail,
    };
  }
  const figures = matchCitations(traces, envelope.facts, index, subject.repromptUsed, derived);
  const detail: MatchedFigures = { figures };
  const covered = figures.filter((figure) => figure.citation_ok !== null);
  if (covered.length === 0)
    return {
      score: unscored(CITATIONS, 'Citations right', 'no fact covers a figure of the answer'),
      detail,
    };
  const right = covered.filter((figure) => figure.citation_ok === true).length;
  const wrong = covered.filter((figure) => figure.citation_ok === false);
  const reasoning = `${right} of ${covered.length} cited figures are where the envelope says`;
  return {
    score: scored(
      CITATIONS,
      'Citations right',
      right / covered.length,
      reasoning,
      wrong.slice(0, EVIDENCE_MAX).map(evidenceOf),
    ),
    detail,
  };
}

function evidenceOf(figure: Pick<Figure, 'start' | 'end' | 'text'>): Evidence {
  return {
    kind: 'figure',
    ref: `output:${figure.start}-${figure.end}`,
    text: figure.text.slice(0, 200),
  };
}

function scored(
  evaluator: string,
  name: string,
  value: number,
  reasoning: string,
  evidence: Evidence[],
): Score {
  return {
    ...measuredBy(evaluator, name),
    state: 'scored',
    value,
    met: value === 1,
    reasoning,
    evidence,
  };
}

function unscored(evaluator: string, name: string, reasoning: string): Score {
  return { ...measuredBy(evaluator, name), state: 'unscored', value: null, met: null, reasoning };
}
