import type { ProjectCtx } from '../access';
import type { VerifierMeasures } from '../measures';
import type { AlertSeverity, AlertState } from './alert';
import type { AlertKind } from './alert-facts';

/** What an alert goes by: what a person put, else the release's own. */
export interface RuleInForce {
  readonly enabled: boolean;
  /** Null: the kind has none, or none was set, and then it never alerts. */
  readonly limit: number | null;
  readonly windowMinutes: number;
  readonly noData: 'ok' | 'keep' | 'alert';
  readonly renotifyMinutes: number | null;
}

/** What one look found of one series, by the rule that holds for it. */
export interface Finding {
  readonly series: string;
  /** The series for people. */
  readonly name: string;
  /** Whose rule it goes by; null: the kind's. */
  readonly verifier: string | null;
  readonly state: AlertState;
  readonly value: number | null;
  readonly limit: number | null;
  /** In a sentence, with its numbers. */
  readonly message: string;
  readonly advice: string | null;
  /** From the project's address on. */
  readonly href: string | null;
}

/** One look at one project: what kinds stand on. */
export interface Look {
  readonly project: ProjectCtx;
  /** By the database's clock. */
  readonly now: Date;
  /** Of all of the kind (null), or of one verifier by its name. */
  readonly ruleFor: (kind: AlertKind, verifier: string | null) => RuleInForce;
  /** When the limit that holds was put; now for the release's own. */
  readonly limitSetAt: (kind: AlertKind, verifier: string | null) => Date;
  /** Every window that a rule of the kind has, which is switched on, minutes. */
  readonly windowsOf: (kind: AlertKind) => readonly number[];
  /** Measured once a look and window. */
  readonly measures: (windowMinutes: number) => Promise<readonly VerifierMeasures[]>;
}

/**
 * A kind of alert: what it is for, what it goes by unless somebody says otherwise, and how it is
 * looked for.
 */
export interface AlertKindRule {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** What it is, in a sentence, for people who set its limit. */
  readonly meaning: string;
  readonly defaults: RuleInForce;
  /** Null where the kind has no limit. */
  readonly limits: { readonly least: number; readonly most: number } | null;
  /**
   * What it means when a series is found no more: it had no data in the window, or there is no such
   * thing any longer.
   */
  readonly unfound: 'no_data' | 'gone';
  /** Reads only; every query is bounded. What it does not find is no data. */
  readonly find: (look: Look) => Promise<readonly Finding[]>;
}
