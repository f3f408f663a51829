import type { Evidence, Source } from '../../domain';
import {
  type Claim,
  type ClaimOutput,
  type ClaimPlace,
  createClaimWords,
  dataText,
  type MatchedClaim,
  matchClaims,
  splitClaims,
  type TracedFigure,
  unwrapData,
} from '../../evaluators/claims';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '../../figures';
import { createPoints } from './points';
import type { SynthesisClaim } from './detail';
import { type AgentOutput, type SynthesisSubject, synthesisLimits } from './subject';

/** A claim and the evidence found without a judge. */
export interface FoundClaim {
  readonly claim: SynthesisClaim;
  readonly evidence: readonly Evidence[];
}

/** Scanning and tracing more figures takes minutes; an answer with more is data to import. */
const FIGURES_MAX = 10_000;
const TEXT_MAX = 2_000;
/**
 * Characters searched for all submitted claims together; claims not found within them have no
 * position.
 */
const SEARCHED_MAX = 50_000_000;

/**
 * The claims of the answer, each compared with the outputs: figures by the figure evaluator,
 * quotations and words by text (SOAR-21).
 * @throws Error on an answer with more claims or figures than the limits
 */
export function traceClaims({
  query,
  answer,
  agent_outputs: outputs,
}: SynthesisSubject): readonly FoundClaim[] {
  const claims = splitClaims(answer);
  const withText = outputs.map(withTextData);
  if (claims.length > synthesisLimits.claims) {
    throw new Error(
      `the answer makes ${claims.length} claims; at most ${synthesisLimits.claims} are traced`,
    );
  }
  const figures = traced(answer, query, outputs);
  const matched = matchClaims({
    answer,
    claims,
    outputs: withText.map(asClaimOutput),
    query,
    figures,
  });
  const places: ClaimTexts = {
    answer: createPoints(answer),
    outputs: withText,
    summaries: withText.map(({ summary }) => createPoints(summary)),
  };
  return claims.map((claim, i) => found(claim, matched[i] ?? { state: 'left' }, places));
}

/** Reads claims that the caller has judged; `support` refers to an output by its id (SOAR-24). */
export function readGiven({
  answer,
  agent_outputs: outputs,
  claims,
}: SynthesisSubject): readonly FoundClaim[] {
  const ids = new Set(outputs.map(({ id }) => id));
  const points = createPoints(answer);
  let from = 0;
  let left = SEARCHED_MAX;
  const find = (text: string, start: number): number => {
    left -= answer.length - start;
    return left < 0 ? -1 : answer.indexOf(text, start);
  };
  return (claims ?? []).map(({ text, supported_by }) => {
    // Claims usually follow the order of the answer; otherwise the search restarts at the
    // beginning.
    const behind = find(text, from);
    const at = behind === -1 && from > 0 ? find(text, 0) : behind;
    if (at !== -1) from = at + text.length;
    const known = [...new Set(supported_by.filter((id) => ids.has(id)))];
    const place = at === -1 ? null : { start: points(at), end: points(at + text.length) };
    const claim: SynthesisClaim = {
      text: shortened(text),
      start: place?.start ?? null,
      end: place?.end ?? null,
      state: known.length > 0 ? 'supported' : 'unsupported',
      supported_by: known,
      by: 'caller',
      reason:
        known.length > 0
          ? null
          : supported_by.length > 0
            ? 'what it names is no id of an output'
            : 'it names no output',
    };
    const evidence =
      place === null
        ? []
        : [
            {
              kind: 'quote' as const,
              ref: `answer:${place.start}-${place.end}`,
              text: text.slice(0, 300).toWellFormed(),
            },
          ];
    return { claim, evidence };
  });
}

/** Plain text of a tool without a summary counts as the statement of the output. */
function withTextData(output: AgentOutput): AgentOutput {
  const { summary, data } = output;
  return summary === '' && typeof data === 'string' && typeof unwrapData(data) === 'string'
    ? { ...output, summary: data }
    : output;
}

const asClaimOutput = ({ agent, ...output }: AgentOutput): ClaimOutput => ({
  ...output,
  agent: agent ?? '',
});

/** Whether a passage contains more than the name of an agent. */
export function sayingMore(outputs: readonly AgentOutput[]): (passage: string) => boolean {
  const own = createClaimWords(outputs.map(asClaimOutput));
  return (passage) => own.isMore(passage);
}

/**
 * Figures of the answer, traced to summaries and data: sources `s0`, `d0`, `s1` … in the order of
 * the outputs.
 */
function traced(
  answer: string,
  query: string,
  outputs: readonly AgentOutput[],
): readonly TracedFigure[] {
  const figures = scanFigures(answer);
  if (figures.length > FIGURES_MAX)
    throw new Error(
      `the answer states ${figures.length} figures; at most ${FIGURES_MAX} are traced`,
    );
  if (figures.length === 0) return [];
  const index = new SourceIndex(
    outputs.flatMap(({ agent, summary, data }, i): Source[] => [
      { id: `s${i}`, label: agent ?? '', format: 'text', text: summary },
      {
        id: `d${i}`,
        label: agent ?? '',
        format: typeof unwrapData(data) === 'object' ? 'json' : 'text',
        text: dataText(data),
      },
    ]),
  );
  const queryIndex = new SourceIndex([
    { id: 'query', label: 'query', format: 'text', text: query },
  ]);
  return traceFigures(figures, answer, index).map((trace): TracedFigure => {
    const { from, to, unit, text, reading } = trace.figure;
    const { status } = figureOf(trace, index);
    return {
      from,
      to,
      unit,
      text,
      status: status ?? 'unsourced',
      inQuery: queryIndex.find(reading) !== null,
    };
  });
}

interface ClaimTexts {
  readonly answer: (unit: number) => number;
  readonly outputs: readonly AgentOutput[];
  readonly summaries: readonly ((unit: number) => number)[];
}

function found(claim: Claim, matched: MatchedClaim, places: ClaimTexts): FoundClaim {
  const { outputs } = places;
  const { start, end } = { start: places.answer(claim.start), end: places.answer(claim.end) };
  const text = shortened(claim.text);
  const own: Evidence = {
    kind: 'quote',
    ref: `answer:${start}-${end}`,
    text: claim.text.slice(0, 300).toWellFormed(),
  };
  const base = { text, start, end };
  if (matched.state === 'left') {
    return {
      claim: { ...base, state: 'undecided', supported_by: [], by: null, reason: null },
      evidence: [own],
    };
  }
  if (matched.state === 'unsupported') {
    return {
      claim: {
        ...base,
        state: 'unsupported',
        supported_by: [],
        by: matched.by,
        reason: matched.reason.toWellFormed(),
      },
      evidence: [own],
    };
  }
  const ids = [...new Set(matched.places.map(({ index }) => outputs[index]?.id ?? ''))].filter(
    (id) => id !== '',
  );
  return {
    claim: { ...base, state: 'supported', supported_by: ids, by: matched.by, reason: null },
    evidence: [own, ...matched.places.slice(0, 4).map((place) => evidenceOf(place, places))],
  };
}

function evidenceOf(place: ClaimPlace, { outputs, summaries }: ClaimTexts): Evidence {
  const output = outputs[place.index];
  const id = output?.id ?? '';
  const points = summaries[place.index] ?? ((unit: number) => unit);
  const text = (output?.summary ?? '').slice(place.start, Math.min(place.end, place.start + 300));
  return {
    kind: 'quote',
    ref: `${id}:${points(place.start)}-${points(place.end)}`,
    text: text.toWellFormed(),
  };
}

const shortened = (text: string): string =>
  (text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`).toWellFormed();
