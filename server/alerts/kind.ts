import type { ProjectCtx } from '../access';
import type { VerifierMeasures } from '../measures';
import type { AlertSeverity, AlertState } from './alert';
import type { AlertKind } from './alert-facts';

/** The effective rule of an alert: one set by a person, else the default. */
export interface EffectiveRule {
  readonly enabled: boolean;
  /** Null if the kind has no limit, or if none was set, in which case the rule never alerts. */
  readonly limit: number | null;
  readonly windowMinutes: number;
  readonly noData: 'ok' | 'keep' | 'alert';
  readonly renotifyMinutes: number | null;
}

/** The result of one check of one series under its effective rule. */
export interface AlertFinding {
  readonly series: string;
  /** Displayed name of the series. */
  readonly name: string;
  /** The verifier whose rule applies; null for the rule of the kind. */
  readonly verifier: string | null;
  readonly state: AlertState;
  readonly value: number | null;
  readonly limit: number | null;
  /** A sentence with the numbers. */
  readonly message: string;
  readonly advice: string | null;
  /** Path within the project. */
  readonly href: string | null;
}

/** One check of one project, with the data available to kinds. */
export interface AlertCheck {
  readonly project: ProjectCtx;
  /** Time by the database clock. */
  readonly now: Date;
  /** The rule for all verifiers of a kind (null), or for one verifier by its name. */
  readonly ruleFor: (kind: AlertKind, verifier: string | null) => EffectiveRule;
  /** When the effective limit was set; the current time for the default. */
  readonly limitSetAt: (kind: AlertKind, verifier: string | null) => Date;
  /** All windows of the enabled rules of a kind, in minutes. */
  readonly windowsOf: (kind: AlertKind) => readonly number[];
  /** Measures, read once per check and window. */
  readonly measures: (windowMinutes: number) => Promise<readonly VerifierMeasures[]>;
  /** Tests of changes by kind, made once per check. */
  readonly detected: () => Promise<ReadonlyMap<AlertKind, readonly AlertFinding[]>>;
}

/** A kind of alert: its purpose, its default rule, and its check. */
export interface AlertKindRule {
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** A sentence that explains it to people who set its limit. */
  readonly meaning: string;
  readonly defaults: EffectiveRule;
  /** Null if the kind has no limit. */
  readonly limits: { readonly min: number; readonly max: number } | null;
  /**
   * Meaning of a series that is no longer found: no data in the window, or its object no longer
   * exists.
   */
  readonly whenNotFound: 'no_data' | 'gone';
  /** Has bounded queries, and stores at most counts. A series that it does not return has no data. */
  readonly find: (check: AlertCheck) => Promise<readonly AlertFinding[]>;
}
