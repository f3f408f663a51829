import { z } from 'zod';
import { Evidence, type PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import { type ClaimsReply, claimsShape } from './claims-shape';
import type { DataBlock, Draw } from './fence';
import { claimsFormat } from './formats';
import { confidenceAfterQuotes, QuoteIndex, resolveQuotes } from './quotes';
import { fromLikert } from './shapes';
import { showText } from './shorten';

/** An answer made from the outputs of several agents, and what of it nobody could decide yet (SOAR-21). All but the prompt is untrusted. */
export interface ClaimsQuestion {
  readonly prompt: PromptText;
  readonly query: string;
  readonly answer: string;
  readonly outputs: readonly {
    readonly id: string;
    readonly agent: string;
    readonly summary: string;
    /** As text; '' where there is none. */
    readonly data: string;
  }[];
  /** Those that are left; none where only the whole is asked about. */
  readonly claims: readonly string[];
  /** Whether a passage says anything beside who speaks: a name is no support (SOAR-24). */
  readonly saysSomething: (passage: string) => boolean;
  /** Code points that a judge is shown: of the answer, and of all outputs together. */
  readonly answerChars: number;
  readonly outputChars: number;
  readonly purpose: string;
}

const rate = z.number().min(0).max(1);

/** What a judge found. It can be stored and read back. */
export const ClaimsFinding = z.object({
  claims: z.array(
    z.object({
      /** From 0, in the order of the question. */
      index: z.number().int().min(0),
      /** Ids of the outputs that hold what the judge copied; none: unsupported. */
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
  /** What the answer leaves out without a word. */
  missing: z.array(z.string()),
  /** After the quotes were looked up. */
  confidence: rate,
  model: z.string(),
  /** Code points that the judge was not shown. */
  leftOut: z.number().int().min(0),
});
export type ClaimsFinding = z.infer<typeof ClaimsFinding>;

const QUERY_CHARS_MAX = 8_000;
const CLAIM_CHARS_MAX = 1_000;
const LEAST_CHARS_EACH = 400;
const MISSING_MAX = 10;
const OUTPUT_TOKENS = { base: 3_000, each: 160, most: 16_000 };
/** So many claims one reply can decide; what is beyond is left undecided. */
export const CLAIMS_ASKED_MAX = 80;

/** Asks one judge about the claims that are left and the answer as a whole, once. Never throws for what the judge does. */
export async function judgeClaims(
  question: ClaimsQuestion,
  bench: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<ClaimsFinding>> {
  const each = Math.max(LEAST_CHARS_EACH, Math.floor(question.outputChars / Math.max(1, question.outputs.length)));
  const answer = showText(question.answer, question.answerChars);
  const query = showText(question.query, QUERY_CHARS_MAX);
  const shown = question.outputs.map(({ summary, data }) => {
    const said = showText(summary, data === '' ? each : Math.max(LEAST_CHARS_EACH, Math.floor(each / 2)));
    return { said, data: data === '' ? null : showText(data, Math.max(LEAST_CHARS_EACH, each - Math.min(said.text.length, each))) };
  });
  const outputs = question.outputs.map(({ id, agent }, i) => ({
    output: i + 1,
    id,
    agent,
    summary: shown[i]?.said.text ?? '',
    ...(shown[i]?.data == null ? {} : { data: shown[i].data.text }),
  }));
  const notes = shown.flatMap(({ said, data }, i) => [...said.notes, ...(data?.notes ?? [])].map((note) => `output ${i + 1}: ${note}`));
  const claims = question.claims.map((text, i) => ({ claim: i + 1, text: showText(text, CLAIM_CHARS_MAX).text }));
  const data = new Map<string, DataBlock | null>([
    ['query', { name: 'query', value: query.text, notes: query.notes }],
    ['outputs', { name: 'outputs', value: outputs, notes: [...new Set(notes)].slice(0, 50) }],
    ['answer', { name: 'answer', value: answer.text, notes: answer.notes }],
    ['claims', { name: 'claims', value: claims, notes: claims.length === 0 ? ['none is left: judge the answer as a whole'] : [] }],
  ]);
  const task: JudgeTask<ClaimsReply> = {
    question: { prompt: question.prompt, data, reminder: 'claims', format: claimsFormat(claims.length) },
    shape: claimsShape(claims.length, outputs.length),
    purpose: question.purpose,
    maxOutputTokens: Math.min(OUTPUT_TOKENS.most, OUTPUT_TOKENS.base + OUTPUT_TOKENS.each * claims.length),
    deadlineMs: bench.deadlineMs,
  };
  const judged = await askJudge(task, bench.models, ctx, draw);
  if (judged.state === 'failed') return judged;
  const leftOut = answer.leftOut + shown.reduce((sum, { said, data: more }) => sum + said.leftOut + (more?.leftOut ?? 0), 0);
  return { ...judged, reply: findingOf(question, judged.reply, judged.model, leftOut) };
}

/** Support counts where the passage stands in an output that the judge names, whatever else it says. */
function findingOf(question: ClaimsQuestion, reply: ClaimsReply, model: string, leftOut: number): ClaimsFinding {
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
        const { evidence, unresolved: absent, total: parts } = resolveQuotes([quote], places[output] ?? []);
        return parts > 0 && absent === 0
          ? [{ output, evidence: evidence.map((place) => inData(place, question.outputs[output]?.id)) }]
          : [];
      });
      const isSaid = found.length > 0 && question.saysSomething(quote);
      if (named.length > 0) total++;
      if (named.length > 0 && !isSaid) unresolved++;
      const whyNot =
        named.length === 0 ? '' : found.length === 0 ? 'the passage stands in no output named: ' : 'the passage only says who speaks: ';
      return {
        index: claim - 1,
        outputs: isSaid ? found.map(({ output }) => question.outputs[output]?.id ?? '') : [],
        reasoning: `${isSaid ? '' : whyNot}${reasoning}`.slice(0, 1_000).toWellFormed(),
        evidence: isSaid ? found.flatMap(({ evidence }) => evidence).slice(0, 5) : [],
      };
    });
  return {
    claims,
    coherence: fromLikert(reply.coherence),
    coherenceReasoning: reply.coherence_reasoning.toWellFormed(),
    completeness: fromLikert(reply.completeness),
    completenessReasoning: reply.completeness_reasoning.toWellFormed(),
    missing: reply.missing.slice(0, MISSING_MAX).map((text) => text.slice(0, 500).toWellFormed()),
    confidence: confidenceAfterQuotes(reply.confidence, { unresolved, total }),
    model,
    leftOut,
  };
}

/** A passage of the data is told by its text: the data has places, and no lines that a reader could count in. */
function inData(place: Evidence, id = ''): Evidence {
  const source = `${id}#data`;
  return place.ref.startsWith(`${source}:`) ? { ...place, kind: 'source', ref: source } : place;
}
