import type { AlertKind } from './alert-facts';

export type AlertSeverity = 'high' | 'medium' | 'low';
export type AlertState = 'ok' | 'alerting' | 'no_data';

/** How one alert stands. */
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
  /** What to do about it (SOAR-31); null where the message says it all. */
  readonly advice: string | null;
  readonly since: Date;
  readonly lookedAt: Date;
  readonly notifiedAt: Date | null;
  /** Where its rows are, from the project's address on: `/calibration/verifier?name=task`. */
  readonly href: string | null;
}

/** One change of an alert's state, or a notice that it lasts. */
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
  /** How often it was found since the notice before. */
  readonly found: number;
  readonly at: Date;
  /** What became of the notice at each destination. */
  readonly sent: readonly {
    readonly destination: string;
    readonly state: 'waiting' | 'delivered' | 'dead';
    readonly error: string | null;
  }[];
}

/** What an alert goes by, for all of its kind (`verifier` null) or for one verifier. */
export interface AlertRule {
  readonly kind: AlertKind;
  readonly verifier: string | null;
  /** A person changed it; false: the release's own. */
  readonly isOwn: boolean;
  readonly enabled: boolean;
  readonly severity: AlertSeverity;
  /** What it is, for people. */
  readonly meaning: string;
  /**
   * Held against the value, strictly (SOAR-29): exactly the limit does not alert. Null for kinds
   * without one; its scale stands in `alertFacts` (alert-facts.ts), whose words and scales the
   * pages go by.
   */
  readonly limit: number | null;
  readonly leastLimit: number | null;
  readonly mostLimit: number | null;
  readonly windowMinutes: number;
  readonly noData: 'ok' | 'keep' | 'alert';
  readonly renotifyMinutes: number | null;
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
}

export interface AlertBoard {
  /** Alerting first, then without data, then ok; by severity. */
  readonly alerts: readonly Alert[];
  /** When anything was last looked at; null: never, so no worker looks. */
  readonly lookedAt: Date | null;
  /** No one has looked for five minutes, by the database's clock: what stands here may be old. */
  readonly nobodyLooks: boolean;
}
