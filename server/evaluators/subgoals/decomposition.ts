/**
 * A request cut into subgoals that agents work on, as a planner hands it over. It may be faulty in
 * every part.
 */
export interface Decomposition {
  readonly goal: string;
  readonly subgoals: readonly Subgoal[];
  /** Empty where no order was given. */
  readonly execution_order: readonly Phase[];
}

export interface Subgoal {
  readonly id: string;
  readonly description: string;
  /** Who is to work on it; null where no one was named. */
  readonly agent: string | null;
  /** Ids of subgoals that must be done before. */
  readonly depends_on: readonly string[];
  /** Capabilities and tools that its agent must have. */
  readonly requires: readonly string[];
}

/** Subgoals that follow each other, or are worked on at once. Phases follow each other. */
export interface Phase {
  readonly phase: 'sequential' | 'parallel';
  readonly subgoals: readonly string[];
}

/** An agent that is there to be given work. */
export interface KnownAgent {
  readonly name: string;
  readonly capabilities: readonly string[];
  readonly tools: readonly string[];
  /** Environments in which it may work; null: in all. */
  readonly allowed_in: readonly string[] | null;
}

/** What a decomposition is checked against. */
export interface Surroundings {
  /** Null where no one said who is there: nothing is then said about agents. */
  readonly agents: readonly KnownAgent[] | null;
  readonly environment: string | null;
  /** More subgoals than this are an issue. */
  readonly subgoalsMost: number;
  /** What the limit is for, such as a complexity. */
  readonly limitOf: string;
}
