import { judgeAudited } from '../../testing/integrity/audited/judge';
import { auditedShapes } from '../../testing/integrity/audited';
import { judgeGenerated } from '../../testing/integrity/generator/judge';
import type { Source } from '../../server/domain';
import { type Contender, type Judged, naiveValues } from './measure';
import { numberTokens, valueOf } from './numbers';

/** A judged figure of the audited set, or a judged generated text. */
export interface JudgedItem extends Judged {
  readonly shape: string;
  /** Its fault, or its twin's; null for a right figure of the audited set. */
  readonly kind: string | null;
  /** A right figure that no source states: it follows from several. */
  readonly calculated: boolean;
}

/**
 * Every marked figure of the audited set. A correct calculation counts as right
 * (`derived_counts_as_sourced`).
 */
export function judgeAuditedFigures(): readonly JudgedItem[] {
  const shapes = new Map(
    auditedShapes.map(({ name, sources }, position) => [name, { position, sources }]),
  );
  return judgeAudited().map(({ text, shape, wrong, calculated, flagged }) => {
    const { position, sources } = shapes.get(shape) ?? { position: 0, sources: [] };
    return {
      position,
      shape,
      kind: wrong,
      wrong: wrong !== null,
      calculated,
      flagged: flagsOf(text, sources, flagged),
    };
  });
}

/** Generated texts, each as a whole: correct ones, and their twins with one planted fault. */
export function judgeGeneratedTexts(seed: number, rounds: number): readonly JudgedItem[] {
  return judgeGenerated(seed, rounds).map(({ shape, kind, text, source, planted, flagged }, i) => {
    const base = {
      position: Math.floor(i / 2),
      shape,
      kind,
      wrong: planted.length > 0,
      calculated: false,
    };
    return { ...base, flagged: flagsOf(text, [source], flagged) };
  });
}

function flagsOf(
  text: string,
  sources: readonly Source[],
  flagged: boolean,
): ReadonlySet<Contender> {
  const values = naiveValues(sources);
  const naive = numberTokens(text).some((token) => !values.has(valueOf(token.text)));
  return new Set([
    ...(naive ? (['naive'] as const) : []),
    ...(flagged ? (['assay'] as const) : []),
  ]);
}
