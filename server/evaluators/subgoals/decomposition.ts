/**
 * A request split into subgoals for agents, as a planner submits it. Any part of it may be faulty.
 */
export interface Decomposition {
  readonly goal: string;
  readonly subgoals: readonly Subgoal[];
  /** Empty if no order was given. */
  readonly execution_order: readonly Phase[];
}

export interface Subgoal {
  readonly id: string;
  readonly description: string;
  /** The assigned agent; null if none was named. */
  readonly agent: string | null;
  /** Ids of subgoals that must be complete first. */
  readonly depends_on: readonly string[];
  /** Capabilities and tools that its agent must have. */
  readonly requires: readonly string[];
}

/** Subgoals in sequence or in parallel. Phases follow each other. */
export interface Phase {
  readonly phase: 'sequential' | 'parallel';
  readonly subgoals: readonly string[];
}

/** An available agent. */
export interface KnownAgent {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly tools: readonly string[];
  /** Environments in which it may work; null means all. */
  readonly allowed_in: readonly string[] | null;
}

/** The context for checking a decomposition. */
export interface PlanContext {
  /** Null if the available agents are unknown: agents are then not checked. */
  readonly agents: readonly KnownAgent[] | null;
  readonly environment: string | null;
  /** More subgoals than this are an issue. */
  readonly subgoalsMax: number;
  /** The reason for the limit, such as a complexity. */
  readonly limitOf: string;
}
