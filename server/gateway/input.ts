import { z } from 'zod';
import { SourceSettings } from '../domain';

/** Settings of the Quality Verifier on one route (QV-2, QV-5, QV-7, QV-23, QV-33, QV-36, QV-38). */
export const QualityVerifierSettings = z.strictObject({
  /**
   * `provider:model?temperature=0.3`; null if the verifier is disabled, and nothing is counted,
   * buffered or judged (QV-38).
   */
  model: z.string().max(300).nullable().default(null),
  /** Verifies every N eligible turns. */
  frequency: z.number().int().min(1).max(1_000_000).default(10),
  /** The last N messages of the history; null means all of it (QV-23). */
  max_history: z.number().int().min(1).max(100_000).nullable().default(null),
  max_consecutive_failures: z.number().int().min(1).max(1000).default(5),
  cooldown_seconds: z.number().min(0).max(86_400).default(300),
  ttft_timeout_seconds: z.number().positive().max(600).default(30),
  /** Weight of a tool follow-up, 0 to 1 turn (QV-5). */
  tool_followup_weight: z.number().min(0).max(1).default(0.2),
  /** The first turn of a session that may be verified (QV-7). */
  min_eligible_turn: z.number().int().min(1).max(1_000_000).default(1),
  /** Share of steering notes withheld to measure the effect of steering. */
  control_share: z.number().min(0).max(1).default(0.05),
  /**
   * Keeps notes for the session's next request instead of regenerating, for auxiliary flows
   * (QV-31).
   */
  deferred: z.boolean().default(false),
});
export type QualityVerifierSettings = z.infer<typeof QualityVerifierSettings>;

/** Integrity on one route (api.md, Gateway; systems.md, "Settled since"). */
const RouteIntegrity = z.strictObject({
  /**
   * `observe`: verified after delivery; `hold`: buffered, traced, re-prompted once and marked
   * before delivery.
   */
  mode: z.enum(['off', 'observe', 'hold']).default('observe'),
  allow_user_figures: z.boolean().default(false),
  /** Time limit for scanning a buffered answer; after it, the answer is delivered as is (R-62). */
  deadline_ms: z.number().int().min(1).max(60_000).default(50),
  /** Whether a rewritten answer ends with the list of its sources (INT-16). */
  sources_footer: z.boolean().default(true),
  /** Parts of messages that count as sources in addition to tool results. */
  sources: SourceSettings.prefault({}),
});

/** How answers of one route are verified by a verifier of the project (online.md 3). */
export const RouteVerifier = z.strictObject({
  /** The slug of a verifier that reads turns. */
  verifier: z.string().min(1).max(100),
  /**
   * `observe`: the stored turn is verified after delivery. `hold`: the answer waits for its
   * verdict, at most until `total_seconds`. `steer`: as `hold`, and a failed answer is regenerated
   * once with the feedback of its verdict as the note.
   */
  mode: z.enum(['observe', 'hold', 'steer']).default('observe'),
  /** Verifies every N-th eligible turn of a session. */
  frequency: z.number().int().min(1).max(1_000_000).default(1),
});
export type RouteVerifier = z.infer<typeof RouteVerifier>;

export const RouteName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must begin with a letter or a digit and have at most 63 lower-case letters, digits, - and _',
  );

/** A path below a route's base URL, such as `/files/*`; `*` matches any characters. */
export const PathGlob = z
  .string()
  .regex(
    /^[A-Za-z0-9/_~:@!$&'()*+,=.-]{1,200}$/,
    'must be a path below the upstream address, such as "/files/*": 1 to 200 characters, without query and escapes',
  );
export type PathGlob = z.infer<typeof PathGlob>;

/** Body of `PUT /v1/gateway/routes/{route}`; omitted settings get their default. */
export const RouteSettings = z.strictObject({
  /**
   * A base URL as clients use it (`https://host/v1`), or the name of a provider of the project.
   * Null means the provider with the route's name, else for `openai` and `anthropic` the vendor's
   * own URL.
   */
  upstream: z.string().min(1).max(2000).nullable().default(null),
  /** Null means the API of the provider's kind, else `openai`. */
  api: z.enum(['openai', 'anthropic']).nullable().default(null),
  /**
   * Paths that the route serves in addition to chat, completions, responses, messages, embeddings
   * and models (online.md 6).
   */
  allow_paths: z.array(PathGlob).max(50).default([]),
  quality_verifier: QualityVerifierSettings.prefault({}),
  integrity: RouteIntegrity.prefault({}),
  /** A verifier in addition to the Quality Verifier and integrity; null if none. */
  verify: RouteVerifier.nullable().default(null),
  /** Refuses unverified answers with 503 instead of delivering them (R-68). */
  fail_closed: z.boolean().default(false),
  /**
   * A buffered answer is released at its first token if that arrives later than
   * `first_token_seconds` after the request, and in any case after `total_seconds`.
   */
  first_token_seconds: z.number().positive().max(3600).default(30),
  total_seconds: z.number().positive().max(3600).default(60),
});
export type RouteSettings = z.infer<typeof RouteSettings>;

export const GatewayRouteIn = z.strictObject({
  project: z.string().min(2).max(40),
  name: RouteName,
});
export const PutGatewayRouteIn = GatewayRouteIn.extend({ settings: RouteSettings });
export const ResetBreakerIn = z.strictObject({
  project: z.string().min(2).max(40),
  model: z.string().min(1).max(300),
});

export {
  GatewayPeriodIn,
  GetGatewaySessionIn,
  ListCallsIn,
  ListGatewaySessionsIn,
} from './record/views-input';
