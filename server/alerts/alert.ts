import type { AlertKind } from './alert-facts';

export type AlertSeverity = 'high' | 'medium' | 'low';
export type AlertState = 'ok' | 'alerting' | 'no_data';

/** The state of one alert. */
export interface Alert {
  readonly kind: AlertKind;
  readonly series: string;
  /** Displayed name of the series: `Task`, `openai`, `3 workers`. */
  readonly name: string;
  readonly state: AlertState;
  readonly severity: AlertSeverity;
  readonly value: number | null;
  readonly limit: number | null;
  readonly message: string;
  /** The recommended action (SOAR-31); null if the message is sufficient. */
  readonly advice: string | null;
  readonly since: Date;
  readonly checkedAt: Date;
  readonly notifiedAt: Date | null;
  /** Path within the project of the page with its details: `/calibration/verifier?name=task`. */
  readonly href: string | null;
  /** The id of the current finding; null if it does not alert. */
  readonly findingId: string | null;
  readonly acknowledged: Acknowledged | null;
}

/** The first acknowledgement of a finding. */
export interface Acknowledged {
  readonly by: string;
  readonly at: Date;
  readonly reason: string | null;
}

/** One period during which an alert's condition held. */
export interface Finding {
  /** The id of the event that began it. */
  readonly id: string;
  readonly kind: AlertKind;
  readonly series: string;
  readonly name: string;
  readonly severity: AlertSeverity;
  /** Of the latest check while it lasts; of the first one after that. */
  readonly value: number | null;
  readonly limit: number | null;
  readonly message: string;
  /** The recommended action; null if there is none, or if it ended. */
  readonly advice: string | null;
  readonly href: string | null;
  readonly beganAt: Date;
  /** Null while it lasts. */
  readonly endedAt: Date | null;
  readonly acknowledged: Acknowledged | null;
}

/** The events that a check can store. */
export type AlertChange = Exclude<AlertEvent['event'], 'acknowledged'>;

/** One change of an alert's state, a notice that it persists, or an acknowledgement. */
export interface AlertEvent {
  readonly id: string;
  readonly kind: AlertKind;
  readonly series: string;
  readonly name: string;
  readonly event: 'began' | 'lasts' | 'acknowledged' | 'recovered' | 'no_data';
  readonly severity: AlertSeverity;
  readonly value: number | null;
  readonly limit: number | null;
  /** Of an acknowledgement: its reason, or empty. */
  readonly message: string;
  /** The person who acknowledged it; null for other events. */
  readonly by: string | null;
  /** Number of alerting checks since the previous notice. */
  readonly found: number;
  readonly at: Date;
  /** The delivery of the notice to each destination. */
  readonly sent: readonly {
    readonly destination: string;
    readonly state: 'waiting' | 'delivered' | 'dead';
    readonly error: string | null;
  }[];
}

/** A rule for all alerts of a kind (`verifier` null) or for one verifier. */
export interface AlertRule {
  readonly kind: AlertKind;
  readonly verifier: string | null;
  /** True if a person set it; false for the default. */
  readonly isOwn: boolean;
  readonly enabled: boolean;
  readonly severity: AlertSeverity;
  /** Its displayed meaning. */
  readonly meaning: string;
  /**
   * The limit. A value equal to it does not alert (SOAR-29). Null for kinds without one;
   * `alertFacts` (alert-facts.ts) has its scale, for the pages.
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
  /**
   * Time of the last check of any kind; null if there was none, which means that no worker runs.
   */
  readonly checkedAt: Date | null;
  /**
   * True if there was no check in the last five minutes (database clock): the states may be
   * outdated.
   */
  readonly isStale: boolean;
}
