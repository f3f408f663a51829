import type { DecisionState, Outcome } from '../../domain';
import { userOf } from '../../platform';
import type { PreparedTurn } from './prepare';

/** A turn in the form that rules see, before it is stored. */
export interface RuleTurn {
  readonly projectId: string;
  readonly id: string;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  /** The end user that its metadata names. */
  readonly userId: string | null;
  readonly source: string | null;
  readonly model: string | null;
  /** For a trace, all its models; a filter by model matches if it matches one of them. */
  readonly models?: readonly string[];
  readonly origin: TurnOrigin;
  readonly tags: readonly string[];
  /** The turn's parsed `metadata`; keys come from clients: read own properties only. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** It has tool results or context blocks. */
  readonly hasSources: boolean;
  /** Length of the answer, UTF-16 units. */
  readonly answerChars: number;
}

export type TurnOrigin = 'api' | 'otlp' | 'import' | 'gateway' | 'experiment';

/** A pending verdict of a turn; its work row is written with the turn. */
export interface PlannedVerification {
  /** The id of the future verdict. */
  readonly verdictId: string;
  readonly verifier: string;
  /** Null if requested by a caller, not by a rule. */
  readonly rule: string | null;
  readonly delaySeconds: number;
  /** Runs only after another verifier's verdict on the same subject has the awaited outcome. */
  readonly awaits?: AwaitedVerdict;
  /** A model is called in any case. If omitted, checks that need no model are tried first. */
  readonly lane?: 'slow';
}

/** A verdict that a rule waits for before its own verifier runs. */
export interface AwaitedVerdict {
  readonly verifier: string;
  readonly outcomes: readonly Outcome[];
}

/** As the column `work.awaits` has it; null if the work waits for no verdict. */
export const awaitsColumn = ({ awaits, delaySeconds }: PlannedVerification): object | null =>
  awaits === undefined ? null : { ...awaits, delay_seconds: delaySeconds };

/** The decision of one rule about one turn (product.md 3); `verdictId` if it ran. */
export interface RuleDecision {
  readonly rule: string;
  readonly ruleVersion: number;
  readonly verifier: string;
  readonly state: DecisionState;
  readonly reason: string | null;
  readonly verdictId: string | null;
}

export interface PlannedVerifications {
  readonly verdicts: readonly PlannedVerification[];
  readonly decisions: readonly RuleDecision[];
}

export const nothingPlanned: PlannedVerifications = { verdicts: [], decisions: [] };

/**
 * Plans the verifications of each turn, in the given order. Injected by the rules, on which the
 * intake must not depend. Pure except for reading the rules: a turn that turns out to be a
 * duplicate costs nothing.
 * @throws AssayError unavailable
 */
export type PlanTurns = (turns: readonly RuleTurn[]) => Promise<readonly PlannedVerifications[]>;

/** The same for a trace, as rules see it whole. @throws AssayError unavailable */
export type PlanTrace = (trace: RuleTurn) => Promise<PlannedVerifications>;

/** The turn as rules see it. */
export function asRuleTurn(projectId: string, turn: PreparedTurn, origin: TurnOrigin): RuleTurn {
  return {
    projectId,
    id: turn.id,
    sessionId: turn.sessionId,
    traceId: turn.traceId,
    userId: userOf(turn.metadata),
    source: turn.source,
    model: turn.model,
    origin,
    tags: turn.tags,
    metadata: turn.metadata,
    hasSources: turn.hasSources,
    answerChars: turn.answerChars,
  };
}
