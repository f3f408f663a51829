import type { DecisionState } from '../../domain';
import type { PreparedTurn } from './prepare';

/** A turn in the form that rules see, before it is stored. */
export interface OwingTurn {
  readonly projectId: string;
  readonly id: string;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly source: string | null;
  readonly model: string | null;
  readonly origin: TurnOrigin;
  readonly tags: readonly string[];
  /** The turn's parsed `metadata`; keys come from clients: read own properties only. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** It has tool results or context blocks. */
  readonly hasSources: boolean;
  /** Length of the answer, UTF-16 units. */
  readonly answerChars: number;
}

export type TurnOrigin = 'api' | 'otlp' | 'import' | 'gateway';

/** A pending verdict of a turn; its work row is written with the turn. */
export interface OwedVerdict {
  /** The id of the future verdict. */
  readonly verdictId: string;
  readonly verifier: string;
  /** Null: requested by a caller, not by a rule. */
  readonly rule: string | null;
  readonly delaySeconds: number;
}

/** What one rule decided about one turn (product.md 3); `verdictId` where it ran. */
export interface RuleDecision {
  readonly rule: string;
  readonly ruleVersion: number;
  readonly verifier: string;
  readonly state: DecisionState;
  readonly reason: string | null;
  readonly verdictId: string | null;
}

export interface Owed {
  readonly verdicts: readonly OwedVerdict[];
  readonly decisions: readonly RuleDecision[];
}

export const nothingOwed: Owed = { verdicts: [], decisions: [] };

/**
 * Plans the verifications of each turn, in the given order. Injected into the intake from above
 * (rules), which the intake does not know. Pure except for reading the rules: a turn that turns out
 * to be a duplicate costs nothing.
 * @throws AssayError unavailable
 */
export type Owe = (turns: readonly OwingTurn[]) => Promise<readonly Owed[]>;

/** The turn in the form that rules see. */
export function owingTurn(projectId: string, turn: PreparedTurn, origin: TurnOrigin): OwingTurn {
  return {
    projectId,
    id: turn.id,
    sessionId: turn.sessionId,
    traceId: turn.traceId,
    source: turn.source,
    model: turn.model,
    origin,
    tags: turn.tags,
    metadata: turn.metadata,
    hasSources: turn.hasSources,
    answerChars: turn.answerChars,
  };
}
