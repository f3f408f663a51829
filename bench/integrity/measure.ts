import type { IntegrityDetail, Source } from '../../server/domain';
import { decideFigures, IntegrityConfig, planFigures, walkPlan } from '../../server/verifiers';
import { type Annotated, readQuintd, readSummedits, readTau, type Summary } from './data';
import { numberTokens, overlaps, type Span, valueOf, valuesOf } from './numbers';
import { type Difference, differenceOf, type Rate, rateOf } from './rates';

/** The three contenders, on exactly the same list of figures. */
export type Contender = 'naive' | 'assay' | 'gpt4';

/** Sources are halved by the parity of their position in the file; whole is both. */
export type Half = 'whole' | 'even' | 'odd';
export const halves: readonly Half[] = ['whole', 'even', 'odd'];

/** A judged figure or summary: whether people consider it wrong, and who flagged it. */
export interface Judged {
  readonly position: number;
  readonly wrong: boolean;
  readonly flagged: ReadonlySet<Contender>;
}

export interface Measured {
  readonly catch: Rate;
  readonly falseAlarms: Rate;
  /** Catch rate minus false-positive rate. */
  readonly net: Difference;
}

export function measure(judged: readonly Judged[], contender: Contender, half: Half): Measured {
  const inHalf = judged.filter(
    ({ position }) => half === 'whole' || (position % 2 === 0) === (half === 'even'),
  );
  const wrong = inHalf.filter((each) => each.wrong);
  const right = inHalf.filter((each) => !each.wrong);
  const flagged = (list: readonly Judged[]): Rate =>
    rateOf(list.filter((each) => each.flagged.has(contender)).length, list.length);
  const caught = flagged(wrong);
  const falseAlarms = flagged(right);
  return { catch: caught, falseAlarms, net: differenceOf(caught, falseAlarms) };
}

/** One pair of sources in `every`, so that both halves have some. */
function isTaken(position: number, every: number): boolean {
  return Math.floor(position / 2) % every === 0;
}

/** Every figure of a data set with spans: wrong if it overlaps a person's span. */
export async function judgeQuintd(name: string, every = 1): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const output of readQuintd(name).filter(({ position }) => isTaken(position, every))) {
    const unsourced = await unsourcedSpans(output.text, output.sources);
    for (const token of numberTokens(output.text)) {
      judged.push({
        position: output.position,
        wrong: overlaps(token, output.human),
        flagged: flagsOf(token, output, unsourced),
      });
    }
  }
  return judged;
}

function flagsOf(
  token: Span & { readonly text: string },
  output: Annotated,
  unsourced: readonly Span[],
): ReadonlySet<Contender> {
  const flags = new Set<Contender>();
  if (!naiveValues(output.sources).has(valueOf(token.text))) flags.add('naive');
  if (overlaps(token, unsourced)) flags.add('assay');
  if (overlaps(token, output.gpt4)) flags.add('gpt4');
  return flags;
}

/** Every summary whose label concerns numbers: consistent ones, and those with a changed number. */
export async function judgeSummedits(
  all: boolean,
  every = 1,
): Promise<readonly (Judged & Pick<Summary, 'domain'>)[]> {
  const judged: (Judged & Pick<Summary, 'domain'>)[] = [];
  for (const { position, domain, sources, text, consistent, numberChanged } of readSummedits()) {
    if ((!consistent && !numberChanged && !all) || !isTaken(position, every)) continue;
    const flagged = new Set<Contender>();
    if (numberTokens(text).some((token) => !naiveValues(sources).has(valueOf(token.text))))
      flagged.add('naive');
    if ((await unsourcedSpans(text, sources)).length > 0) flagged.add('assay');
    judged.push({ position, domain, wrong: !consistent, flagged });
  }
  return judged;
}

/**
 * Figures in an agent's messages: they are unlabelled, so only the flagged share is known.
 */
export async function judgeTau(every = 1): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const { position, sources, text } of readTau().filter((each) =>
    isTaken(each.position, every),
  )) {
    const unsourced = await unsourcedSpans(text, sources);
    const values = valuesOf(sources.map((source) => source.text));
    for (const token of numberTokens(text)) {
      const flagged = new Set<Contender>();
      if (!values.has(valueOf(token.text))) flagged.add('naive');
      if (overlaps(token, unsourced)) flagged.add('assay');
      judged.push({ position, wrong: false, flagged });
    }
  }
  return judged;
}

const known = new WeakMap<readonly Source[], ReadonlySet<number>>();

export function naiveValues(sources: readonly Source[]): ReadonlySet<number> {
  const values = known.get(sources) ?? valuesOf(sources.map(({ text }) => text));
  known.set(sources, values);
  return values;
}

/** The figures that the product would flag; derived ones are unsourced by default (INT-19). */
async function unsourcedSpans(
  output: string,
  sources: readonly Source[],
): Promise<readonly Span[]> {
  const { figures } = await verify(output, sources);
  return figures.filter(({ sourced }) => !sourced);
}

const ctx = { now: () => performance.now(), signal: new AbortController().signal };

/** The product's own verifier on one answer, as a turn would pass it. */
async function verify(output: string, sources: readonly Source[]): Promise<IntegrityDetail> {
  const subject = { output, envelope: null, sources, userText: [], repromptUsed: true };
  const config = IntegrityConfig.parse({});
  const { verdict, detail } = decideFigures(
    await walkPlan(planFigures(subject, config), ctx),
    subject,
    config,
  );
  if (verdict === null) throw new Error(`no verdict on: ${output.slice(0, 200)}`);
  return detail;
}
