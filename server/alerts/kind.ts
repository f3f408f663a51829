import type { ProjectCtx } from '../access';
import type { VerifierMeasures } from '../measures';
import type { AlertSeverity, AlertState } from './alert';
import type { AlertKind } from './alert-facts';

/** The effective rule of an alert: a person's, else the default. */
export interface EffectiveRule {
  readonly enabled: boolean;
  /** Null: the kind has none, or none was set, and then it never alerts. */
  readonly limit: number | null;
  readonly windowMinutes: number;
  readonly noData: 'ok' | 'keep' | 'alert';
  readonly renotifyMinutes: number | null;
}

/** The result of one check for one series, by its effective rule. */
export interface AlertFinding {
  readonly series: string;
  /** The series for people. */
  readonly name: string;
  /** The verifier whose rule applies; null: the kind's. */
  readonly verifier: string | null;
  readonly state: AlertState;
  readonly value: number | null;
  readonly limit: number | null;
  /** In a sentence, with its numbers. */
  readonly message: string;
  readonly advice: string | null;
  /** Path within the project. */
  readonly href: string | null;
}

/** One check of one project: the data available to kinds. */
export interface AlertCheck {
  readonly project: ProjectCtx;
  /** By the database's clock. */
  readonly now: Date;
  /** For all of the kind (null), or for one verifier by its name. */
  readonly ruleFor: (kind: AlertKind, verifier: string | null) => EffectiveRule;
  /** When the effective limit was set; now for the default. */
  readonly limitSetAt: (kind: AlertKind, verifier: string | null) => Date;
  /** Every window of an enabled rule of the kind, minutes. */
  readonly windowsOf: (kind: AlertKind) => readonly number[];
  /** Measured once per check and window. */
  readonly measures: (windowMinutes: number) => Promise<readonly VerifierMeasures[]>;
}

/** A kind of alert: its purpose, its default rule, and its check. */
export interface AlertKindRule {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** Its meaning, in a sentence, for people who set its limit. */
  readonly meaning: string;
  readonly defaults: EffectiveRule;
  /** Null if the kind has no limit. */
  readonly limits: { readonly least: number; readonly most: number } | null;
  /**
   * The meaning of a series that is no longer found: no data in the window, or its object no longer
   * exists.
   */
  readonly unfound: 'no_data' | 'gone';
  /** Only reads; every query is bounded. A series that it does not return has no data. */
  readonly find: (look: AlertCheck) => Promise<readonly AlertFinding[]>;
}
