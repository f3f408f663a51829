import { z } from 'zod';
import { Evidence, type PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import { type ClaimsReply, claimsShape } from './claims-shape';
import type { DataBlock, Draw } from '../fence';
import { claimsFormat } from './formats';
import { confidenceAfterQuotes, QuoteIndex, resolveQuotes } from './quotes';
import { fromLikert } from './shapes';
import { lowest, mergeTexts } from './merge-windows';
import { type ShownText, showText } from './shorten';
import { askInWindows, confidenceSeen, planReading, type WindowPlan, WINDOWS_MAX } from './windows';

/**
 * An answer synthesised from the outputs of several agents, and its undecided claims (SOAR-21).
 * Everything but the prompt is untrusted.
 */
export interface ClaimsQuestion {
  readonly prompt: PromptText;
  readonly query: string;
  readonly answer: string;
  readonly outputs: readonly {
    readonly id: string;
    readonly agent: string;
    readonly summary: string;
    /** As text; '' if there is none. */
    readonly data: string;
  }[];
  /** The undecided claims; empty if only the whole is judged. */
  readonly claims: readonly string[];
  /** Whether a passage has content besides attribution: a name is not support (SOAR-24). */
  readonly hasContent: (passage: string) => boolean;
  /**
   * Code points in one judge call, of the answer and of all outputs together; more is judged in
   * windows (S-125).
   */
  readonly answerChars: number;
  readonly outputChars: number;
  readonly purpose: string;
}

const rate = z.number().min(0).max(1);

/** A judge's findings. They can be stored and read back. */
export const ClaimsFinding = z.object({
  claims: z.array(
    z.object({
      /** From 0, in the order of the question. */
      index: z.number().int().min(0),
      /** Ids of the outputs that contain the judge's quotes; empty if the claim is unsupported. */
      outputs: z.array(z.string()),
      reasoning: z.string(),
      evidence: z.array(Evidence),
    }),
  ),
  /** 0..1. */
  coherence: rate,
  coherenceReasoning: z.string(),
  completeness: rate,
  completenessReasoning: z.string(),
  /** Points that the answer silently omits. */
  missing: z.array(z.string()),
  /** After the quotes were looked up. */
  confidence: rate,
  model: z.string(),
  /** Code points that the judge was not shown. */
  leftOut: z.number().int().min(0),
});
export type ClaimsFinding = z.infer<typeof ClaimsFinding>;

/** Code points of the query, and of each claim, in each call. The rest counts as not shown. */
const QUERY_CHARS_MAX = 24_000;
const CLAIM_CHARS_MAX = 2_000;
const MISSING_MAX = 10;
const OUTPUT_TOKENS = { base: 3_000, each: 160, max: 16_000 };
/** One reply can decide this many claims; the rest stays undecided. */
export const JUDGED_CLAIMS_MAX = 80;

/**
 * Calls one judge about the undecided claims and the answer as a whole, once. Never throws for
 * errors of the judge.
 */
export async function judgeClaims(
  question: ClaimsQuestion,
  options: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<ClaimsFinding>> {
  const query = showText(question.query, QUERY_CHARS_MAX);
  const claims = question.claims.map((text) => showText(text, CLAIM_CHARS_MAX));
  const reading = readBoth(question);
  const judged = await askInWindows(
    reading,
    (shown) => composeTask(question, { query, claims, shown }, options.deadlineMs),
    (task) => askJudge(task, options.models, ctx, draw),
  );
  if (judged.state === 'failed') return judged;
  const leftOut = [query, ...claims].reduce((sum, each) => sum + each.leftOut, reading.leftOut);
  const [whole, ...windows] = [judged.reply.whole, ...judged.reply.windows].map((reply) =>
    findingOf(question, reply, judged.model, leftOut),
  );
  if (whole === undefined) throw new Error('claims have a finding');
  return { ...judged, reply: mergeFindings(whole, windows) };
}

/**
 * The answer, then the summary and the data of each output. Claims are judged one by one, so the
 * windows need not be crossed: a window of the answer is shown with the overview of the outputs and
 * vice versa.
 */
function readBoth({ answer, answerChars, outputs, outputChars }: ClaimsQuestion): WindowPlan {
  const one = planReading([answer], answerChars);
  const many = planReading(
    outputs.flatMap(({ summary, data }) => [summary, data]),
    outputChars,
  );
  const windows = [
    ...one.windows.map((shown) => [...shown, ...many.overview]),
    ...many.windows.map((shown) => [...one.overview, ...shown]),
  ];
  const overview = [...one.overview, ...many.overview];
  if (windows.length <= WINDOWS_MAX)
    return { overview, windows, leftOut: one.leftOut + many.leftOut };
  return {
    overview,
    windows: [],
    leftOut: overview.reduce((sum, shown) => sum + shown.leftOut, 0),
  };
}

interface ShownClaims {
  readonly query: ShownText;
  readonly claims: readonly ShownText[];
  /** In the order of `readBoth`. */
  readonly shown: readonly (ShownText | null)[];
}

function composeTask(
  question: ClaimsQuestion,
  { query, claims, shown }: ShownClaims,
  deadlineMs: number,
): JudgeTask<ClaimsReply> {
  const [answer = null, ...texts] = shown;
  const outputs = question.outputs.map(({ id, agent, data }, i) => {
    const [summary, more] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    return {
      output: i + 1,
      id,
      agent,
      ...(summary === null ? { summary_in_another_part: true } : { summary: summary.text }),
      ...(data === '' ? {} : more === null ? { data_in_another_part: true } : { data: more.text }),
    };
  });
  const notes = texts.flatMap((text, i) =>
    (text?.notes ?? []).map((note) => `output ${Math.floor(i / 2) + 1}: ${note}`),
  );
  const openClaims = claims.map(({ text }, i) => ({ claim: i + 1, text }));
  const claimNotes = claims.flatMap((text, i) =>
    text.notes.map((note) => `claim ${i + 1}: ${note}`),
  );
  const noClaim = openClaims.length === 0 ? ['none is left: judge the answer as a whole'] : [];
  const data = new Map<string, DataBlock | null>([
    ['query', { name: 'query', value: query.text, notes: query.notes }],
    ['outputs', { name: 'outputs', value: outputs, notes: [...new Set(notes)] }],
    ['answer', { name: 'answer', value: answer?.text ?? '', notes: answer?.notes ?? [] }],
    ['claims', { name: 'claims', value: openClaims, notes: [...noClaim, ...claimNotes] }],
  ]);
  return {
    question: {
      prompt: question.prompt,
      data,
      reminder: 'claims',
      format: claimsFormat(openClaims.length),
    },
    shape: claimsShape(openClaims.length, outputs.length),
    purpose: question.purpose,
    maxOutputTokens: Math.min(
      OUTPUT_TOKENS.max,
      OUTPUT_TOKENS.base + OUTPUT_TOKENS.each * openClaims.length,
    ),
    deadlineMs,
  };
}

/**
 * A claim is supported if any call quoted a passage for it that was found in an output; coherence
 * and confidence are the lowest of all, and completeness, which no window can judge, is that of the
 * whole.
 */
function mergeFindings(whole: ClaimsFinding, windows: readonly ClaimsFinding[]): ClaimsFinding {
  const claims = whole.claims.map((each) => {
    const same = [
      each,
      ...windows.flatMap((one) => one.claims.filter(({ index }) => index === each.index)),
    ];
    const supported = same.filter(({ outputs }) => outputs.length > 0);
    return {
      ...(supported[0] ?? each),
      outputs: [
        ...mergeTexts(
          [],
          supported.map(({ outputs }) => outputs),
        ),
      ],
      evidence: supported.flatMap(({ evidence }) => evidence).slice(0, 5),
    };
  });
  const worst = windows.reduce(
    (lowest, one) => (one.coherence < lowest.coherence ? one : lowest),
    whole,
  );
  return {
    ...whole,
    claims,
    coherence: worst.coherence,
    coherenceReasoning: worst.coherenceReasoning,
    confidence: lowest(
      whole.confidence,
      windows.map(({ confidence }) => confidence),
    ),
  };
}

/** Support counts only if the passage occurs in an output that the judge names. */
function findingOf(
  question: ClaimsQuestion,
  reply: ClaimsReply,
  model: string,
  leftOut: number,
): ClaimsFinding {
  const places = question.outputs.map(({ id, summary, data }) => [
    new QuoteIndex({ name: id, text: summary }),
    new QuoteIndex({ name: `${id}#data`, text: data }),
  ]);
  let [unresolved, total] = [0, 0];
  const claims = reply.claims
    .toSorted((a, b) => a.claim - b.claim)
    .map(({ claim, reasoning, supported_by, quote }) => {
      const named = [...new Set(supported_by)].map((number) => number - 1);
      const found = named.flatMap((output) => {
        const {
          evidence,
          unresolved: absent,
          total: parts,
        } = resolveQuotes([quote], places[output] ?? []);
        return parts > 0 && absent === 0
          ? [
              {
                output,
                evidence: evidence.map((place) => inData(place, question.outputs[output]?.id)),
              },
            ]
          : [];
      });
      const isQuoted = found.length > 0 && question.hasContent(quote);
      if (named.length > 0) total++;
      if (named.length > 0 && !isQuoted) unresolved++;
      const whyNot =
        named.length === 0
          ? ''
          : found.length === 0
            ? 'the passage is in no output named: '
            : 'the passage only says who speaks: ';
      return {
        index: claim - 1,
        outputs: isQuoted ? found.map(({ output }) => question.outputs[output]?.id ?? '') : [],
        reasoning: `${isQuoted ? '' : whyNot}${reasoning}`.slice(0, 1_000).toWellFormed(),
        evidence: isQuoted ? found.flatMap(({ evidence }) => evidence).slice(0, 5) : [],
      };
    });
  return {
    claims,
    coherence: fromLikert(reply.coherence),
    coherenceReasoning: reply.coherence_reasoning.toWellFormed(),
    completeness: fromLikert(reply.completeness),
    completenessReasoning: reply.completeness_reasoning.toWellFormed(),
    missing: reply.missing.slice(0, MISSING_MAX).map((text) => text.slice(0, 500).toWellFormed()),
    confidence: confidenceSeen(
      confidenceAfterQuotes(reply.confidence, { unresolved, total }),
      leftOut,
    ),
    model,
    leftOut,
  };
}

/** A passage of the data is identified by its text: the data has no lines for a reader to count. */
function inData(place: Evidence, id = ''): Evidence {
  const source = `${id}#data`;
  return place.ref.startsWith(`${source}:`) ? { ...place, kind: 'source', ref: source } : place;
}
