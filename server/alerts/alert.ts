import type { AlertKind } from './alert-facts';

export type AlertSeverity = 'high' | 'medium' | 'low';
export type AlertState = 'ok' | 'alerting' | 'no_data';

/** The state of one alert. */
export interface Alert {
  readonly kind: AlertKind;
  readonly series: string;
  /** The series for people: `Task`, `openai`, `3 workers`. */
  readonly name: string;
  readonly state: AlertState;
  readonly severity: AlertSeverity;
  readonly value: number | null;
  readonly limit: number | null;
  readonly message: string;
  /** The recommended action (SOAR-31); null if the message is sufficient. */
  readonly advice: string | null;
  readonly since: Date;
  readonly lookedAt: Date;
  readonly notifiedAt: Date | null;
  /** The path of its rows within the project: `/calibration/verifier?name=task`. */
  readonly href: string | null;
}

/** One change of an alert's state, or a notice that it persists. */
export interface AlertEvent {
  readonly id: string;
  readonly kind: AlertKind;
  readonly series: string;
  readonly name: string;
  readonly event: 'began' | 'lasts' | 'recovered' | 'no_data';
  readonly severity: AlertSeverity;
  readonly value: number | null;
  readonly limit: number | null;
  readonly message: string;
  /** How often it was found since the previous notice. */
  readonly found: number;
  readonly at: Date;
  /** The delivery of the notice to each destination. */
  readonly sent: readonly {
    readonly destination: string;
    readonly state: 'waiting' | 'delivered' | 'dead';
    readonly error: string | null;
  }[];
}

/** The rule of an alert, for all of its kind (`verifier` null) or for one verifier. */
export interface AlertRule {
  readonly kind: AlertKind;
  readonly verifier: string | null;
  /** A person changed it; false: the default. */
  readonly isOwn: boolean;
  readonly enabled: boolean;
  readonly severity: AlertSeverity;
  /** Its meaning, for people. */
  readonly meaning: string;
  /**
   * Compared with the value, strictly (SOAR-29): exactly the limit does not alert. Null for kinds
   * without one; its scale is in `alertFacts` (alert-facts.ts), which the pages use.
   */
  readonly limit: number | null;
  readonly minLimit: number | null;
  readonly maxLimit: number | null;
  readonly windowMinutes: number;
  readonly noData: 'ok' | 'keep' | 'alert';
  readonly renotifyMinutes: number | null;
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
}

export interface AlertBoard {
  /** Alerting first, then without data, then ok; by severity. */
  readonly alerts: readonly Alert[];
  /** When anything was last checked; null: never, so no worker runs. */
  readonly lookedAt: Date | null;
  /** No check for five minutes, by the database's clock: the states here may be outdated. */
  readonly isStale: boolean;
}
