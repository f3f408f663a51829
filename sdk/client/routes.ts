// `npm run docs -- --reference` generates this file from the routes. Do not edit it.

type VerifyIntegrity = {
  mode?: 'sync' | 'async';
  wait_ms?: number;
  verifier?: string;
  threshold?: number | null;
  retries_used?: number;
  mission_id?: string | null;
  task_id?: string | null;
} & {
  id?: string | null;
  session_id?: string | null;
  trace_id?: string | null;
  source?: string | null;
  model?: string | null;
  executor_model?: string | null;
  started_at?: string | null;
  ended_at?: string | null;
  input?:
    | string
    | {
        role: string;
        content?: unknown;
      }[]
    | null;
  tools?:
    | {
        id?: string | null;
        name?: string | null;
        arguments?: unknown;
        result?: unknown;
      }[]
    | null;
  context?:
    | {
        id?: string | null;
        content?: unknown;
      }[]
    | null;
  output?: string | null;
  envelope?: unknown;
  relayed_from?: unknown;
  files?:
    | {
        path: string;
        content: string;
      }[]
    | null;
  reference?: unknown;
  cost_usd?: number | null;
  tokens?: {
    input?: number | null;
    output?: number | null;
    cache_read?: number | null;
    cache_write?: number | null;
    reasoning?: number | null;
  } | null;
  /**
   * @maxItems 100
   */
  tags?: string[] | null;
  metadata?: {
    [k: string]: unknown;
  } | null;
  reprompt_used?: boolean | null;
};
type DatasetItemsPage = DatasetItems & {
  hidden: number;
};
type DatasetDiff = DatasetDifferences & {
  added: number;
  changed: number;
  removed: number;
  hidden: number;
};
type WholeTurn = Turn & {
  scores_of_others: ScoreOfOthers[];
  [k: string]: unknown;
};
type Trust = {
  state: 'unmeasured' | 'provisional' | 'qualified' | 'stale';
  enforced: boolean;
  may_block: boolean;
  version: number;
  judge: string | null;
  gaps: {
    what:
      | 'labels'
      | 'defects'
      | 'good'
      | 'catch_rate'
      | 'false_rejection_rate'
      | 'slice'
      | 'policy'
      | 'drift'
      | 'label_age'
      | 'config'
      | 'judge';
    text: string;
    have: number | null;
    need: number | null;
  }[];
  since: string | null;
} | null;
type PromptVersionText = PromptVersion & {
  slug: string;
  body: string;
};
type PromptTrialGate = {
  verdict: 'better' | 'not_worse' | 'worse' | 'insufficient' | 'could_not_run';
  items: number;
  inconclusive: number;
  good: number;
  bad: number;
  catch_rate: {
    tried: Measure;
    other: Measure;
    items: number;
    better: number;
    worse: number;
    mid_p: number | null;
    detectable: number | null;
  };
  false_rejection_rate: {
    tried: Measure;
    other: Measure;
    items: number;
    better: number;
    worse: number;
    mid_p: number | null;
    detectable: number | null;
  };
  undecided: {
    tried: number;
    other: number;
    better: number;
    worse: number;
    mid_p: number | null;
  };
  slices: {
    by: string;
    value: string;
    items: number;
    better: number;
    worse: number;
    mid_p: number | null;
    adjusted_p: number | null;
    required: boolean;
    lost: boolean;
  }[];
  cost_usd: {
    tried: number | null;
    other: number | null;
    ratio: number | null;
  };
  latency_ms: {
    tried: number | null;
    other: number | null;
  };
  reasons: string[];
} | null;
type MeanScore = Measure & {
  numerator?: number | null;
};
type VerifierBody =
  | {
      config: {
        [k: string]: boolean | number | string | string[] | null;
      };
      reason?: string | null;
    }
  | {
      slug?: string;
      kind: string;
      name?: string;
      [k: string]: unknown;
    };

/**
 * The parts of the request of each route, and its answer.
 */
export interface ApiRoutes {
  'GET /v1/traces': {
    query?: {
      session_id?: string;
      model?: string;
      service?: string;
      name?: string;
      errors?: string;
      failed?: string;
      from?: string;
      to?: string;
      cursor?: string;
      limit?: number;
    };
    answer: Traces;
  };
  'POST /v1/turns': {
    body: Turns;
    answer: TurnsTaken;
  };
  'GET /v1/turns': {
    query?: {
      session_id?: string;
      trace_id?: string;
      model?: string;
      source?: string;
      experiment?: string;
      from?: string;
      to?: string;
      cursor?: string;
      limit?: number;
    };
    answer: StoredTurns;
  };
  'POST /v1/verify/integrity': {
    body: VerifyIntegrity;
    answer: Verification;
  };
  'GET /v1/verifications': {
    query?: {
      state?: 'settled' | 'pending';
      kind?: string;
      outcome?: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
      verifier?: string;
      model?: string;
      session_id?: string;
      turn_id?: string;
      trace_id?: string;
      subject_id?: string;
      mission_id?: string;
      task_id?: string;
      tag?: string;
      prompt_version?: string;
      experiment?: string;
      from?: string;
      to?: string;
      cursor?: string;
      limit?: number;
    };
    answer: Verifications;
  };
  'GET /v1/verifications/{id}': {
    params: {
      id: string;
    };
    answer: Verification;
  };
  'GET /v1/settings': {
    answer: SettingsReply;
  };
  'PUT /v1/settings': {
    body: Settings;
    answer: SettingsReply;
  };
  'POST /v1/rules/preview': {
    body: RulePreviewBody;
    answer: RulePreview;
  };
  'GET /v1/rules': {
    answer: Rules;
  };
  'GET /v1/rules/{name}': {
    params: {
      name: string;
    };
    answer: Rule;
  };
  'PUT /v1/rules/{name}': {
    params: {
      name: string;
    };
    body: {
      verifier: string;
      target?: 'turn' | 'trace' | 'session' | 'mission';
      filter?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
        /**
         * @minItems 1
         * @maxItems 20
         */
        any?: {
          model?: string | string[];
          source?: string | string[];
          origin?:
            ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
          session_id?: string | string[];
          trace_id?: string | string[];
          user_id?: string | string[];
          tags?: string | string[];
          metadata?: unknown;
          has_sources?: boolean;
          min_answer_chars?: number;
          /**
           * @minItems 1
           * @maxItems 20
           */
          any?: {
            model?: string | string[];
            source?: string | string[];
            origin?:
              ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
            session_id?: string | string[];
            trace_id?: string | string[];
            user_id?: string | string[];
            tags?: string | string[];
            metadata?: unknown;
            has_sources?: boolean;
            min_answer_chars?: number;
          }[];
          not?: {
            model?: string | string[];
            source?: string | string[];
            origin?:
              ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
            session_id?: string | string[];
            trace_id?: string | string[];
            user_id?: string | string[];
            tags?: string | string[];
            metadata?: unknown;
            has_sources?: boolean;
            min_answer_chars?: number;
          };
        }[];
        not?: {
          model?: string | string[];
          source?: string | string[];
          origin?:
            ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
          session_id?: string | string[];
          trace_id?: string | string[];
          user_id?: string | string[];
          tags?: string | string[];
          metadata?: unknown;
          has_sources?: boolean;
          min_answer_chars?: number;
          /**
           * @minItems 1
           * @maxItems 20
           */
          any?: {
            model?: string | string[];
            source?: string | string[];
            origin?:
              ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
            session_id?: string | string[];
            trace_id?: string | string[];
            user_id?: string | string[];
            tags?: string | string[];
            metadata?: unknown;
            has_sources?: boolean;
            min_answer_chars?: number;
          }[];
          not?: {
            model?: string | string[];
            source?: string | string[];
            origin?:
              ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
            session_id?: string | string[];
            trace_id?: string | string[];
            user_id?: string | string[];
            tags?: string | string[];
            metadata?: unknown;
            has_sources?: boolean;
            min_answer_chars?: number;
          };
        };
        verdict?: {
          verifier: string;
          outcome:
            | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')
            | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')[];
        };
      };
      mapping?: {
        [k: string]:
          | string
          | {
              value?: unknown;
            };
      } | null;
      sampling?: number;
      sample_by?: 'subject' | 'session';
      every?: number | null;
      delay_seconds?: number;
      daily_budget?: number | null;
      daily_budget_usd?: number | null;
      sources?: {
        /**
         * @maxItems 20
         */
        blocks?: (
          | {
              by: 'tag';
              tag: string;
              /**
               * @minItems 1
               * @maxItems 2
               */
              roles?: ('system' | 'user')[];
            }
          | {
              by: 'heading';
              heading: string;
              /**
               * @minItems 1
               * @maxItems 2
               */
              roles?: ('system' | 'user')[];
            }
          | {
              by: 'delimiters';
              start: string;
              end?: string | null;
              /**
               * @minItems 1
               * @maxItems 2
               */
              roles?: ('system' | 'user')[];
            }
          | {
              by: 'pattern';
              pattern: string;
              /**
               * @minItems 1
               * @maxItems 2
               */
              roles?: ('system' | 'user')[];
            }
        )[];
        documents?: boolean;
        earlier_messages?: boolean;
      };
      enabled?: boolean;
    };
    answer: Rule;
  };
  'DELETE /v1/rules/{name}': {
    params: {
      name: string;
    };
    answer: {
      name: string;
    };
  };
  'POST /v1/rules/{name}/backfill': {
    params: {
      name: string;
    };
    body: Backfill;
    answer: BackfillEstimate;
  };
  'POST /v1/contracts': {
    body: ContractRequest;
    answer: CodeContract;
  };
  'GET /v1/datasets': {
    query?: {
      cursor?: string;
      limit?: number;
    };
    answer: Datasets;
  };
  'GET /v1/datasets/{slug}': {
    params: {
      slug: string;
    };
    answer: Dataset;
  };
  'PUT /v1/datasets/{slug}': {
    params: {
      slug: string;
    };
    body: {
      name: string;
      description?: string;
    };
    answer: Dataset;
  };
  'DELETE /v1/datasets/{slug}': {
    params: {
      slug: string;
    };
    answer: {
      slug: string;
    };
  };
  'POST /v1/datasets/{slug}/items': {
    params: {
      slug: string;
    };
    query?: {
      /**
       * For a body that is CSV or JSON lines
       */
      mode?: 'append' | 'replace';
    };
    body: DatasetItemsBody;
    answer: DatasetItemsChanged;
  };
  'POST /v1/datasets/{slug}/items/from': {
    params: {
      slug: string;
    };
    body: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      turns?: string[];
      filter?: {
        session_id?: string;
        trace_id?: string;
        model?: string;
        source?: string;
        from?: string;
        to?: string;
        verifier?: string;
        outcome?:
          | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')
          | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')[];
      };
      review?: string;
      limit?: number;
      reference?: 'human' | 'output' | 'none';
      split?: string | null;
      /**
       * @maxItems 100
       */
      tags?: string[] | null;
    };
    answer: DatasetItemsChanged;
  };
  'GET /v1/datasets/{slug}/versions': {
    params: {
      slug: string;
    };
    query?: {
      cursor?: string;
      limit?: number;
    };
    answer: DatasetVersions;
  };
  'GET /v1/datasets/{slug}/versions/{version}/items': {
    params: {
      slug: string;
      version: string;
    };
    query?: {
      split?: string;
      tag?: string;
      cursor?: string;
      limit?: number;
    };
    answer: DatasetItemsPage;
  };
  'GET /v1/datasets/{slug}/diff': {
    params: {
      slug: string;
    };
    query?: {
      /**
       * By default the version before `to`; 0: the empty dataset
       */
      from?: number | null;
      /**
       * By default the latest version
       */
      to?: number;
      cursor?: string;
      limit?: number;
    };
    answer: DatasetDiff;
  };
  'GET /v1/decisions': {
    query?: {
      subject_id?: string;
      rule?: string;
      state?:
        | 'run'
        | 'filtered'
        | 'sampled_out'
        | 'duplicate'
        | 'bypassed'
        | 'over_budget'
        | 'blocked'
        | 'no_subject'
        | 'failed'
        | 'expired';
      cursor?: string;
      limit?: number;
    };
    answer: Decisions;
  };
  'POST /v1/deletions': {
    body: {
      kind: 'session' | 'trace' | 'turn' | 'user';
      id: string;
    };
    answer: Deletion;
  };
  'GET /v1/deletions/{id}': {
    params: {
      id: string;
    };
    answer: Deletion;
  };
  'DELETE /v1/turns/{id}': {
    params: {
      id: string;
    };
    answer: Deletion;
  };
  'GET /v1/turns/{id}': {
    params: {
      id: string;
    };
    answer: WholeTurn;
  };
  'DELETE /v1/traces/{id}': {
    params: {
      id: string;
    };
    answer: Deletion;
  };
  'GET /v1/traces/{id}': {
    params: {
      id: string;
    };
    query?: {
      content?: string;
    };
    answer: FullTrace;
  };
  'DELETE /v1/sessions/{id}': {
    params: {
      id: string;
    };
    answer: Deletion;
  };
  'GET /v1/sessions/{id}': {
    params: {
      id: string;
    };
    answer: Session;
  };
  'GET /v1/destinations': {
    answer: Destinations;
  };
  'POST /v1/destinations': {
    body: {
      kind: 'webhook' | 'otlp' | 'slack' | 'email';
      name: string;
      url: string;
      /**
       * @minItems 1
       * @maxItems 3
       */
      sends?: ('verdicts' | 'alerts' | 'reports')[];
      /**
       * @maxItems 6
       */
      outcomes?: ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')[];
      enabled?: boolean;
      /**
       * @maxItems 20
       */
      headers?: {
        name: string;
        value: string;
      }[];
      signing_secret?: string;
    };
    answer: Destination;
  };
  'PUT /v1/destinations/{id}': {
    params: {
      id: string;
    };
    body: {
      name: string;
      url: string;
      /**
       * @minItems 1
       * @maxItems 3
       */
      sends?: ('verdicts' | 'alerts' | 'reports')[];
      /**
       * @maxItems 6
       */
      outcomes?: ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')[];
      enabled?: boolean;
      /**
       * @maxItems 20
       */
      headers?: {
        name: string;
        value: string;
      }[];
      signing_secret?: string | null;
      rotate_secret?: boolean;
    };
    answer: Destination;
  };
  'DELETE /v1/destinations/{id}': {
    params: {
      id: string;
    };
    answer: {
      id: string;
    };
  };
  'GET /v1/deliveries': {
    query?: {
      destination_id?: string;
      state?: 'waiting' | 'delivered' | 'dead';
      cursor?: string;
      limit?: number;
    };
    answer: Deliveries;
  };
  'POST /v1/deliveries/{id}/replay': {
    params: {
      id: string;
    };
    answer: {
      id: string;
    };
  };
  'GET /v1/jobs/{id}': {
    params: {
      id: string;
    };
    answer: Job;
  };
  'DELETE /v1/jobs/{id}': {
    params: {
      id: string;
    };
    answer: Job;
  };
  'POST /v1/import': {
    query?: {
      /**
       * The mapping as JSON, where the body is the file itself
       */
      mapping?: string;
    };
    answer: Job;
  };
  'GET /v1/missions/{id}': {
    params: {
      id: string;
    };
    query?: {
      cursor?: string;
      limit?: number;
    };
    answer: Mission;
  };
  'GET /v1/missions/{id}/settings': {
    params: {
      id: string;
    };
    answer: MissionSettings;
  };
  'PUT /v1/missions/{id}/settings': {
    params: {
      id: string;
    };
    body: {
      judge?: string | null;
      review_above_usd?: number | null;
      reason?: string | null;
    };
    answer: MissionSettings;
  };
  'POST /v1/sessions/{id}/end': {
    params: {
      id: string;
    };
    answer: Ended;
  };
  'POST /v1/missions/{id}/end': {
    params: {
      id: string;
    };
    answer: Ended;
  };
  'POST /v1/outcomes': {
    body: Outcomes;
    answer: OutcomesTaken;
  };
  'GET /v1/labels': {
    query?: {
      subject_id?: string;
      verification_id?: string;
      verifier?: string;
      kind?: 'outcome' | 'import' | 'override' | 'abstention' | 'grade' | 'action';
      rater?: string;
      from?: string;
      to?: string;
      cursor?: string;
      limit?: number;
    };
    answer: Labels;
  };
  'POST /v1/labels': {
    body: {
      id?: string | null;
      /**
       * The subject, by exactly one of three members.
       */
      turn_id?: string | null;
      subject_id?: string | null;
      verification_id?: string | null;
      /**
       * The verifier whose work is labelled; may be omitted with `verification_id`.
       */
      verifier?: string | null;
      /**
       * `pass`, `fail`, or a verdict of the verifier's kind.
       */
      verdict?: string | null;
      score?: number | null;
      grade?: number | null;
      /**
       * Required to overrule a verdict, unless `blind`.
       */
      reason?: string | null;
      /**
       * Who labels. Another name than the key's own needs the scope `impersonate`.
       */
      rater?: string | null;
      /**
       * The probability with which the item was sampled; omitted if the rater chose it.
       */
      probability?: number | null;
      /**
       * A vote: the rater did not see the verdict.
       */
      blind?: boolean | null;
      created_at?: string | null;
    };
    answer: Label;
  };
  'DELETE /v1/labels/{id}': {
    params: {
      id: string;
    };
    answer: Label;
  };
  'GET /v1/findings': {
    query?: {
      state?: 'open' | 'ended';
      kind?:
        | 'catch_rate'
        | 'false_positive_rate'
        | 'retry_success'
        | 'corrected_pass_rate'
        | 'pass_rate_fell'
        | 'catch_rate_fell'
        | 'cost_rose'
        | 'volume_fell'
        | 'judge_failures_rose'
        | 'over_budget'
        | 'judge_outage'
        | 'breaker_open'
        | 'drift'
        | 'trust_lost'
        | 'canary_passed'
        | 'sandbox_down'
        | 'intake_stalled'
        | 'work_set_aside'
        | 'delivery_dead';
      series?: string;
      acknowledged?: 'true' | 'false';
      from?: string;
      to?: string;
      cursor?: string;
      limit?: number;
    };
    answer: Findings;
  };
  'POST /v1/findings/{id}/acknowledge': {
    params: {
      id: string;
    };
    body: {
      reason?: string | null;
    };
    answer: Finding;
  };
  'GET /v1/metrics/verifiers': {
    query?: {
      from?: string;
      to?: string;
      verifier?: string;
      judge?: string;
    };
    answer: VerifierMetrics;
  };
  'GET /v1/metrics/models': {
    query?: {
      verifier?: string;
    };
    answer: ModelMetrics;
  };
  'GET /v1/metrics/judges': {
    query?: {
      judge?: string;
      dimension?: string;
      source?: string;
      model?: string;
    };
    answer: JudgeMetrics;
  };
  'POST /v1/verifications/{id}/overrides': {
    params: {
      id: string;
    };
    body: {
      id?: string | null;
      /**
       * `pass`, `fail`, or a verdict of the verifier's kind.
       */
      verdict?: string | null;
      /**
       * Required to overrule the verifier, and to accept with a warning.
       */
      reason?: string | null;
      grade?: number | null;
      action?: 'retry' | 'escalate' | 'accept_with_warning' | null;
      /**
       * Who labels. Another name than the key's own needs the scope `impersonate`.
       */
      rater?: string | null;
      /**
       * The probability with which the item was sampled; omitted if the rater chose it.
       */
      probability?: number | null;
      /**
       * A vote: the rater did not see the verdict or others' rulings. The majority of the votes counts until someone who sees the verdict rules.
       */
      blind?: boolean | null;
      created_at?: string | null;
    };
    answer: Override;
  };
  'DELETE /v1/verifications/{id}/overrides/{override}': {
    params: {
      id: string;
      override: string;
    };
    answer: OverrideUndone;
  };
  'GET /v1/thresholds': {
    query?: {
      verifier?: string;
    };
    answer: Thresholds;
  };
  'PUT /v1/thresholds/{verifier}/{key}': {
    params: {
      verifier: string;
      key: string;
    };
    body: {
      value: number | null;
      scope?: {
        mission_id?: string | null;
        task_id?: string | null;
      };
      reason?: string | null;
      expected_version?: number;
    };
    answer: Threshold;
  };
  'POST /v1/thresholds/{verifier}/{key}/simulate': {
    params: {
      verifier: string;
      key: string;
    };
    body: {
      /**
       * @minItems 1
       * @maxItems 101
       */
      values: number[];
      scope?: {
        mission_id?: string | null;
        task_id?: string | null;
      };
      days?: 7 | 30 | 90 | 0;
      prices?: {
        missed: number;
        rejected: number;
        review: number;
      };
      labelled_only?: boolean;
      sample?: number;
    };
    answer: Simulation;
  };
  'GET /v1/prompts': {
    answer: Prompts;
  };
  'GET /v1/prompts/{slug}': {
    params: {
      slug: string;
    };
    answer: Prompt;
  };
  'GET /v1/prompts/{slug}/versions/{version}': {
    params: {
      slug: string;
      version: string;
    };
    answer: PromptVersionText;
  };
  'POST /v1/prompts/{slug}/versions': {
    params: {
      slug: string;
    };
    body: {
      body: string;
      message?: string;
    };
    answer: PromptVersionText;
  };
  'PUT /v1/prompts/{slug}/labels/{label}': {
    params: {
      slug: string;
      label: string;
    };
    body: {
      version: number;
      force?: boolean;
      reason?: string;
    };
    answer: PromptLabel;
  };
  'POST /v1/prompts/{slug}/versions/{version}/trials': {
    params: {
      slug: string;
      version: string;
    };
    body: StartPromptTrial;
    answer: PromptTrialPlan;
  };
  'GET /v1/prompts/{slug}/trials/{id}': {
    params: {
      slug: string;
      id: string;
    };
    answer: PromptTrial;
  };
  'POST /v1/experiments': {
    body: {
      name: string;
      dataset: string;
      split?: string | null;
      repetitions?: number;
      target:
        | {
            type: 'prompt';
            model: string;
            prompt?: string;
            /**
             * @minItems 1
             * @maxItems 50
             */
            messages?: {
              role: 'system' | 'user' | 'assistant';
              content: string;
            }[];
            max_output_tokens?: number;
          }
        | {
            type: 'http';
            url: string;
            headers?: {
              [k: string]: string;
            };
            body?: unknown;
            output?: string;
            tools?: string;
            timeout_ms?: number;
          }
        | {
            type: 'outputs';
          };
      /**
       * @minItems 1
       * @maxItems 20
       */
      verifiers: string[];
      concurrency?: number;
      budget_usd?: number | null;
      branch?: string | null;
      commit?: string | null;
      baseline?: string | null;
    };
    answer: StartedExperiment;
  };
  'GET /v1/experiments': {
    query?: {
      dataset?: string;
      prompt?: string;
      branch?: string;
      commit?: string;
      state?: 'open' | 'running' | 'done' | 'over_budget' | 'cancelled' | 'failed';
      cursor?: string;
      limit?: number;
    };
    answer: Experiments;
  };
  'POST /v1/experiments/{id}/outputs': {
    params: {
      id: string;
    };
    body: {
      /**
       * @minItems 1
       * @maxItems 1000
       */
      outputs: {
        item_id: string;
        repetition?: number;
        output?: unknown;
        tools?: unknown[] | null;
        cost_usd?: number | null;
        latency_ms?: number | null;
        error?: string | null;
      }[];
    };
    answer: OutputsTaken;
  };
  'POST /v1/experiments/{id}/finish': {
    params: {
      id: string;
    };
    answer: StartedExperiment;
  };
  'POST /v1/experiments/{id}/cancel': {
    params: {
      id: string;
    };
    answer: StartedExperiment;
  };
  'POST /v1/experiments/{id}/resume': {
    params: {
      id: string;
    };
    body: {
      retry_failed?: boolean;
      budget_usd?: number | null;
    };
    answer: StartedExperiment;
  };
  'GET /v1/experiments/compare': {
    query: {
      verifier?: string;
      cursor?: string;
      limit?: number;
      slice?: 'tag' | 'split';
      ids: string;
    };
    answer: ExperimentComparison;
  };
  'GET /v1/experiments/compare/items': {
    query: {
      verifier?: string;
      cursor?: string;
      limit?: number;
      ids: string;
    };
    answer: ComparedItems;
  };
  'GET /v1/experiments/{id}': {
    params: {
      id: string;
    };
    answer: ExperimentResult;
  };
  'POST /v1/experiments/{id}/gate': {
    params: {
      id: string;
    };
    body: {
      min_pass_rate?: {
        [k: string]: {
          at_least: number;
          by?: 'value' | 'low';
        };
      };
      no_regression_against?: string;
      max_cost_usd?: number;
    };
    answer: ExperimentGateResult;
  };
  'GET /v1/experiments/{id}/rows': {
    params: {
      id: string;
    };
    query?: {
      state?: 'waiting' | 'asked' | 'answered' | 'failed' | 'lost';
      cursor?: string;
      limit?: number;
    };
    answer: ExperimentRows;
  };
  'GET /v1/providers': {
    answer: Providers;
  };
  'PUT /v1/providers/{name}': {
    params: {
      name: string;
    };
    body: {
      kind: 'openai' | 'anthropic' | 'google' | 'openai_compatible';
      base_url?: string;
      api_key?: string | null;
      /**
       * @maxItems 50
       */
      models?: string[];
      enabled?: boolean;
      /**
       * @maxItems 50
       */
      prices?: {
        model: string;
        usd_per_million: {
          input: number;
          output: number;
        };
      }[];
    };
    answer: Provider;
  };
  'DELETE /v1/providers/{name}': {
    params: {
      name: string;
    };
    answer: {
      name: string;
    };
  };
  'GET /v1/reports': {
    query?: {
      cursor?: string;
      limit?: number;
    };
    answer: Reports;
  };
  'GET /v1/reports/{id}': {
    params: {
      id: string;
    };
    answer: Report;
  };
  'GET /v1/gateway/routes': {
    answer: GatewayRoutes;
  };
  'GET /v1/gateway/routes/{route}': {
    params: {
      route: string;
    };
    answer: GatewayRoute;
  };
  'PUT /v1/gateway/routes/{route}': {
    params: {
      route: string;
    };
    body: {
      upstream?: string | null;
      api?: 'openai' | 'anthropic' | null;
      /**
       * @maxItems 50
       */
      allow_paths?: string[];
      quality_verifier?: {
        model?: string | null;
        frequency?: number;
        max_history?: number | null;
        max_consecutive_failures?: number;
        cooldown_seconds?: number;
        ttft_timeout_seconds?: number;
        tool_followup_weight?: number;
        min_eligible_turn?: number;
        control_share?: number;
        deferred?: boolean;
      };
      integrity?: {
        mode?: 'off' | 'observe' | 'hold';
        allow_user_figures?: boolean;
        deadline_ms?: number;
        sources_footer?: boolean;
        sources?: {
          /**
           * @maxItems 20
           */
          blocks?: (
            | {
                by: 'tag';
                tag: string;
                /**
                 * @minItems 1
                 * @maxItems 2
                 */
                roles?: ('system' | 'user')[];
              }
            | {
                by: 'heading';
                heading: string;
                /**
                 * @minItems 1
                 * @maxItems 2
                 */
                roles?: ('system' | 'user')[];
              }
            | {
                by: 'delimiters';
                start: string;
                end?: string | null;
                /**
                 * @minItems 1
                 * @maxItems 2
                 */
                roles?: ('system' | 'user')[];
              }
            | {
                by: 'pattern';
                pattern: string;
                /**
                 * @minItems 1
                 * @maxItems 2
                 */
                roles?: ('system' | 'user')[];
              }
          )[];
          documents?: boolean;
          earlier_messages?: boolean;
        };
      };
      verify?: {
        verifier: string;
        mode?: 'observe' | 'hold' | 'steer';
        frequency?: number;
      } | null;
      fail_closed?: boolean;
      first_token_seconds?: number;
      total_seconds?: number;
    };
    answer: GatewayRoute;
  };
  'DELETE /v1/gateway/routes/{route}': {
    params: {
      route: string;
    };
    answer: {
      route: string;
    };
  };
  'GET /v1/verifiers': {
    answer: Verifiers;
  };
  'GET /v1/verifiers/{verifier}': {
    params: {
      verifier: string;
    };
    answer: Verifier | OwnVerifier;
  };
  'PUT /v1/verifiers/{verifier}': {
    params: {
      verifier: string;
    };
    query?: {
      reset_thresholds?: 'true' | 'false';
      dry_run?: 'true' | 'false';
    };
    body: VerifierBody;
    answer: Verifier | StoredVerifier | VerifierDefinition;
  };
  'DELETE /v1/verifiers/{verifier}': {
    params: {
      verifier: string;
    };
    answer: {
      slug: string;
      archived: true;
    };
  };
  'POST /v1/verifiers/{verifier}/try': {
    params: {
      verifier: string;
    };
    body: TryBody;
    answer: TriedVerdicts;
  };
  'POST /v1/verify/task': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      task_description?: string;
      /**
       * @maxItems 100
       */
      success_criteria?: (
        | string
        | {
            check: string;
            value?: unknown;
            weight?: number;
            must_pass?: boolean;
          }
        | {
            text: string;
            weight?: number;
            must_pass?: boolean;
          }
      )[];
      task_output: string;
      scoring_mode?: 'rubric' | 'binary' | 'criteria_match';
      has_dependents?: boolean;
      shared_context?:
        | string
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | null;
    };
    answer: Verification;
  };
  'POST /v1/verify/code': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      request?: string;
      /**
       * @maxItems 500
       */
      files: {
        path: string;
        content: string;
      }[];
      model?: string | null;
      executor_model?: string | null;
      contract?: {
        active?: boolean;
        reason?: string | null;
        confidence?: 'low' | 'medium' | 'high';
        /**
         * @maxItems 500
         */
        deliverables?: string[];
        framework?: string | null;
        /**
         * @maxItems 200
         */
        hard_patterns?: string[];
        /**
         * @maxItems 200
         */
        soft_patterns?: string[];
        /**
         * @maxItems 200
         */
        patterns?:
          | {
              pattern: string;
              kind: 'hard' | 'soft';
              path?: string | null;
            }[]
          | null;
        expected_elements?: {
          [k: string]: number;
        };
        /**
         * @maxItems 50
         */
        gates?: string[];
      } | null;
      repair?:
        | number
        | {
            iteration: number;
          };
      /**
       * @maxItems 1000
       */
      tool_results?: unknown[];
      run_tests?: {
        runner: 'node' | 'unittest' | 'pytest' | 'vitest' | 'jest';
        /**
         * @maxItems 500
         */
        files?: {
          path: string;
          content: string;
        }[];
        isolated?: boolean;
      } | null;
      force?: boolean;
      partial?: boolean;
    };
    answer: Verification;
  };
  'POST /v1/verify/consistency': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      /**
       * @maxItems 20
       */
      outputs: {
        task_id: string;
        output: string;
      }[];
      shared_context?:
        | string
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | null;
    };
    answer: Verification;
  };
  'POST /v1/verify/decomposition': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      query: string;
      complexity?: string | null;
      decomposition: {
        goal?: string | null;
        /**
         * @maxItems 20000
         */
        subgoals?:
          | {
              id?: string | null;
              description?: string | null;
              agent?: string | null;
              /**
               * @maxItems 20000
               */
              depends_on?: string[] | null;
              /**
               * @maxItems 20000
               */
              requires?: string[] | null;
            }[]
          | null;
        /**
         * @maxItems 20000
         */
        execution_order?:
          | {
              phase: 'sequential' | 'parallel';
              /**
               * @maxItems 20000
               */
              subgoals?: string[] | null;
            }[]
          | null;
      };
      /**
       * @maxItems 2000
       */
      agents?:
        | {
            name: string;
            /**
             * @maxItems 20000
             */
            capabilities?: string[] | null;
            /**
             * @maxItems 20000
             */
            tools?: string[] | null;
            /**
             * @maxItems 1000
             */
            allowed_in?: string[] | null;
          }[]
        | null;
      environment?: string | null;
      /**
       * @maxItems 1000
       */
      context?: unknown[] | null;
      scores?: {
        completeness: number;
        consistency: number;
        groundedness: number;
        routability: number;
        overall?: number | null;
        verdict?: 'PASS' | 'RETRY' | 'FAIL' | null;
        /**
         * @maxItems 500
         */
        issues?: string[] | null;
        /**
         * @maxItems 500
         */
        suggestions?: string[] | null;
        /**
         * @maxItems 500
         */
        critical_issues?: string[] | null;
        /**
         * @maxItems 500
         */
        minor_issues?: string[] | null;
        /**
         * @maxItems 500
         */
        edge_cases?: string[] | null;
      } | null;
    };
    answer: Verification;
  };
  'POST /v1/verify/agent-output': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      subgoal: {
        id?: string;
        description?: string;
        critical?: boolean;
      };
      output: unknown;
      /**
       * @maxItems 1000
       */
      agents_available?: string[];
    };
    answer: Verification;
  };
  'POST /v1/verify/synthesis': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      query: string;
      answer: string;
      /**
       * @maxItems 200
       */
      agent_outputs: {
        id: string;
        agent?: string | null;
        summary?: string | null;
        data?: unknown;
      }[];
      /**
       * @maxItems 5000
       */
      claims?:
        | {
            text: string;
            /**
             * @maxItems 200
             */
            supported_by?: string[];
          }[]
        | null;
    };
    answer: Verification;
  };
  'POST /v1/verify/mission': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      description: string;
      /**
       * @minItems 1
       * @maxItems 100
       */
      tasks: {
        task_id: string;
        description?: string;
        output?: string;
        verification_id?: string | null;
        score?: number | null;
        verdict?: string | null;
      }[];
    };
    answer: Verification;
  };
  'POST /v1/verify/turn': {
    body: {
      id?: string | null;
      session_id?: string | null;
      trace_id?: string | null;
      mission_id?: string | null;
      task_id?: string | null;
      ended_at?: string | null;
      verifier?: string | null;
      mode?: 'sync' | 'async';
      wait_ms?: number;
      executor_model?: string | null;
      verifier_model?: string | null;
      threshold?: number | null;
      retries_used?: number;
      cost_usd?: number | null;
      has_dependents?: boolean;
      metadata?: {
        [k: string]: unknown;
      } | null;
    } & {
      /**
       * @minItems 1
       * @maxItems 10000
       */
      messages: {
        role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
        content?: unknown;
        tool_calls?: unknown[] | null;
        function_call?: unknown;
      }[];
      completion: string;
    };
    answer: Verification;
  };
  'POST /v1/verify/{verifier}': {
    params: {
      verifier: string;
    };
    body: VerifyOwnBody;
    answer: Verification;
  };
  'GET /v1/sessions': {
    query?: {
      id?: string;
      from?: string;
      to?: string;
      cursor?: string;
      limit?: number;
    };
    answer: Sessions;
  };
  'GET /v1/sessions/{id}/turns': {
    params: {
      id: string;
    };
    query?: {
      cursor?: string;
      limit?: number;
    };
    answer: SessionTurns;
  };
}
interface Traces {
  data: Trace[];
  next_cursor: string | null;
}
interface Trace {
  id: string;
  assembled: boolean;
  name: string | null;
  service: string | null;
  session_id: string | null;
  user_id: string | null;
  started_at: string | null;
  ended_at: string | null;
  received_at: string;
  last_received_at: string;
  spans: number;
  errors: number;
  turns: number;
  models: string[];
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  cost_basis: string[] | null;
  flags: string[];
  tags: string[];
  verdicts: {
    state:
      | 'passed'
      | 'failed'
      | 'needs_review'
      | 'steered'
      | 'inconclusive'
      | 'skipped'
      | 'pending'
      | 'quarantined';
    count: number;
  }[];
}
interface Turns {
  turns: {
    id?: string | null;
    session_id?: string | null;
    trace_id?: string | null;
    source?: string | null;
    model?: string | null;
    executor_model?: string | null;
    started_at?: string | null;
    ended_at?: string | null;
    input?:
      | string
      | {
          role: string;
          content?: unknown;
        }[]
      | null;
    tools?:
      | {
          id?: string | null;
          name?: string | null;
          arguments?: unknown;
          result?: unknown;
        }[]
      | null;
    context?:
      | {
          id?: string | null;
          content?: unknown;
        }[]
      | null;
    output?: string | null;
    envelope?: unknown;
    relayed_from?: unknown;
    files?:
      | {
          path: string;
          content: string;
        }[]
      | null;
    reference?: unknown;
    cost_usd?: number | null;
    tokens?: {
      input?: number | null;
      output?: number | null;
      cache_read?: number | null;
      cache_write?: number | null;
      reasoning?: number | null;
    } | null;
    /**
     * @maxItems 100
     */
    tags?: string[] | null;
    metadata?: {
      [k: string]: unknown;
    } | null;
    reprompt_used?: boolean | null;
  }[];
}
interface TurnsTaken {
  accepted: number;
  duplicates: number;
  conflicts: number;
  rejected: {
    index: number;
    code: string;
    message: string;
  }[];
}
interface StoredTurns {
  data: Turn[];
  next_cursor: string | null;
}
interface Turn {
  id: string;
  revision: number;
  superseded: boolean;
  origin: string;
  session_id: string | null;
  trace_id: string | null;
  span_id: string | null;
  model: string | null;
  source: string | null;
  started_at: string | null;
  ended_at: string | null;
  received_at: string | null;
  flags: string[];
  cost_usd: number | null;
  cost_basis: string[] | null;
  verdicts: {
    id: string;
    verifier: string;
    state:
      | 'passed'
      | 'failed'
      | 'needs_review'
      | 'steered'
      | 'inconclusive'
      | 'skipped'
      | 'pending'
      | 'quarantined';
    verdict: string | null;
    revision: number;
  }[];
  [k: string]: unknown;
}
interface Verification {
  id: string;
  kind: string;
  verifier: string;
  state: 'settled' | 'pending' | 'quarantined';
  outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped' | null;
  verdict: string | null;
  action: 'accept' | 'retry' | 'escalate' | 'reject' | 'abort' | 'accept_with_warning' | 'none';
  score: number | null;
  confidence: number | null;
  needs_human_review: boolean;
  superseded: boolean;
  scores: (
    | {
        name: string;
        evaluator: string;
        must_pass: boolean;
        weight: number;
        reasoning: string | null;
        evidence: {
          kind: 'quote' | 'figure' | 'source' | 'line';
          ref: string;
          text?: string;
        }[];
        model: string | null;
        prompt_version: string | null;
        cost_usd: number;
        latency_ms: number;
        cached: boolean;
        state: 'scored';
        value: number;
        met: boolean;
      }
    | {
        name: string;
        evaluator: string;
        must_pass: boolean;
        weight: number;
        reasoning: string | null;
        evidence: {
          kind: 'quote' | 'figure' | 'source' | 'line';
          ref: string;
          text?: string;
        }[];
        model: string | null;
        prompt_version: string | null;
        cost_usd: number;
        latency_ms: number;
        cached: boolean;
        state: 'unscored';
        value: null;
        met: null;
      }
    | {
        name: string;
        evaluator: string;
        must_pass: boolean;
        weight: number;
        reasoning: string | null;
        evidence: {
          kind: 'quote' | 'figure' | 'source' | 'line';
          ref: string;
          text?: string;
        }[];
        model: string | null;
        prompt_version: string | null;
        cost_usd: number;
        latency_ms: number;
        cached: boolean;
        state: 'failed';
        value: null;
        met: null;
      }
  )[];
  issues: {
    code: string;
    message: string;
    severity: 'low' | 'medium' | 'high';
    path: string | null;
  }[];
  feedback: string | null;
  decision: {
    state: string;
    reason: string | null;
  };
  subject_id: string;
  turn_id: string | null;
  experiment_id: string | null;
  model: string | null;
  effective_verdict: string | null;
  effective_action:
    'accept' | 'retry' | 'escalate' | 'reject' | 'abort' | 'accept_with_warning' | 'none';
  low_confidence: boolean;
  overrides: {
    id: string;
    verdict: string | null;
    reason: string | null;
    grade: number | null;
    action: string | null;
    rater: string;
    created_at: string;
    undone: boolean;
  }[];
  created_at: string;
  settled_at: string | null;
  url: string;
  integrity?: {
    mode: 'envelope' | 'fallback_scan' | null;
    unsourced: number;
    parse_ok: boolean | null;
    reprompt_used: boolean;
    figures: {
      text: string;
      start: number;
      end: number;
      kind:
        'number' | 'percent' | 'currency' | 'date' | 'time' | 'datetime' | 'version' | 'address';
      value: string;
      unit: string | null;
      sourced: boolean;
      source: {
        id: string;
        path: string;
      } | null;
      citation_ok: boolean | null;
      source_text: string | null;
      cited: {
        id: string;
        path: string;
      } | null;
      reason:
        'not_in_sources' | 'wrong_path' | 'unknown_source' | 'misattributed' | 'derived' | null;
      status?: 'sourced' | 'misattributed' | 'derived' | 'unsourced';
      expected?: {
        id: string;
        path: string;
        value: string;
      } | null;
      derived?: {
        formula: string;
        operands: {
          id: string;
          path: string;
          value: string;
        }[];
      } | null;
      explanation?: string | null;
    }[];
    answer: string;
    sources_footer: string;
    reprompt: string | null;
    fields: {
      integrity_mode: 'envelope' | 'fallback_scan';
      integrity_unsourced: number;
      integrity_reprompt_used: boolean;
      integrity_parse_ok: boolean;
    } | null;
    second_opinion?: {
      decides: boolean;
      state: 'judged' | 'nothing_left' | 'not_asked' | 'failed';
      judge: string | null;
      statements: {
        text: string;
        start: number;
        end: number;
        supported: boolean;
        sources: string[];
        reasoning: string;
      }[];
    };
  } | null;
}
interface Verifications {
  data: Verification[];
  next_cursor: string | null;
}
interface SettingsReply {
  integrity_enabled: boolean;
  integrity_off_by: 'environment' | 'project' | null;
  allow_user_figures: boolean;
  derived_counts_as_sourced: boolean;
  default_judge: string | null;
  jury: string[];
  bypass_below_usd: number;
  cost_budget_share: number;
  retries: number;
  session_idle_seconds: number;
  neutral_proof: 'literal' | 'rescale';
  semantic_judge: boolean;
  promotion_gate: 'advise' | 'require';
  masking: {
    /**
     * @maxItems 5
     */
    types?: ('key' | 'email' | 'iban' | 'card' | 'phone')[];
    /**
     * @maxItems 20
     */
    regions?: string[];
    /**
     * @maxItems 50
     */
    paths?: string[];
  } | null;
  waiting_promotion?: string;
}
interface Settings {
  integrity_enabled?: boolean;
  allow_user_figures?: boolean;
  derived_counts_as_sourced?: boolean;
  default_judge?: string | null;
  /**
   * @maxItems 2
   */
  jury?: string[];
  bypass_below_usd?: number;
  cost_budget_share?: number;
  retries?: number;
  session_idle_seconds?: number;
  neutral_proof?: 'literal' | 'rescale';
  semantic_judge?: boolean;
  promotion_gate?: 'advise' | 'require';
  masking?: {
    /**
     * @maxItems 5
     */
    types?: ('key' | 'email' | 'iban' | 'card' | 'phone')[];
    /**
     * @maxItems 20
     */
    regions?: string[];
    /**
     * @maxItems 50
     */
    paths?: string[];
  } | null;
  force?: boolean;
  reason?: string;
}
interface RulePreviewBody {
  verifier: string;
  target?: 'turn' | 'trace' | 'session' | 'mission';
  filter?: {
    model?: string | string[];
    source?: string | string[];
    origin?: ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
    session_id?: string | string[];
    trace_id?: string | string[];
    user_id?: string | string[];
    tags?: string | string[];
    metadata?: unknown;
    has_sources?: boolean;
    min_answer_chars?: number;
    /**
     * @minItems 1
     * @maxItems 20
     */
    any?: {
      model?: string | string[];
      source?: string | string[];
      origin?: ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
      session_id?: string | string[];
      trace_id?: string | string[];
      user_id?: string | string[];
      tags?: string | string[];
      metadata?: unknown;
      has_sources?: boolean;
      min_answer_chars?: number;
      /**
       * @minItems 1
       * @maxItems 20
       */
      any?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      }[];
      not?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      };
    }[];
    not?: {
      model?: string | string[];
      source?: string | string[];
      origin?: ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
      session_id?: string | string[];
      trace_id?: string | string[];
      user_id?: string | string[];
      tags?: string | string[];
      metadata?: unknown;
      has_sources?: boolean;
      min_answer_chars?: number;
      /**
       * @minItems 1
       * @maxItems 20
       */
      any?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      }[];
      not?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      };
    };
    verdict?: {
      verifier: string;
      outcome:
        | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')
        | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')[];
    };
  };
  mapping?: {
    [k: string]:
      | string
      | {
          value?: unknown;
        };
  } | null;
  sampling?: number;
  sample_by?: 'subject' | 'session';
  every?: number | null;
  delay_seconds?: number;
  daily_budget?: number | null;
  daily_budget_usd?: number | null;
  sources?: {
    /**
     * @maxItems 20
     */
    blocks?: (
      | {
          by: 'tag';
          tag: string;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
      | {
          by: 'heading';
          heading: string;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
      | {
          by: 'delimiters';
          start: string;
          end?: string | null;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
      | {
          by: 'pattern';
          pattern: string;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
    )[];
    documents?: boolean;
    earlier_messages?: boolean;
  };
  enabled?: boolean;
  name?: string;
  limit?: number;
}
interface RulePreview {
  matched: number;
  of: number;
  sampled: number;
  judge_calls: number;
  cost_usd: number | null;
  subjects: {
    [k: string]: unknown;
  }[];
  prompt: string | null;
}
interface Rules {
  data: Rule[];
  next_cursor: null;
}
interface Rule {
  name: string;
  version: number;
  verifier: string;
  target: string;
  filter: {
    model?: string | string[];
    source?: string | string[];
    origin?: ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
    session_id?: string | string[];
    trace_id?: string | string[];
    user_id?: string | string[];
    tags?: string | string[];
    metadata?: unknown;
    has_sources?: boolean;
    min_answer_chars?: number;
    /**
     * @minItems 1
     * @maxItems 20
     */
    any?: {
      model?: string | string[];
      source?: string | string[];
      origin?: ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
      session_id?: string | string[];
      trace_id?: string | string[];
      user_id?: string | string[];
      tags?: string | string[];
      metadata?: unknown;
      has_sources?: boolean;
      min_answer_chars?: number;
      /**
       * @minItems 1
       * @maxItems 20
       */
      any?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      }[];
      not?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      };
    }[];
    not?: {
      model?: string | string[];
      source?: string | string[];
      origin?: ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
      session_id?: string | string[];
      trace_id?: string | string[];
      user_id?: string | string[];
      tags?: string | string[];
      metadata?: unknown;
      has_sources?: boolean;
      min_answer_chars?: number;
      /**
       * @minItems 1
       * @maxItems 20
       */
      any?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      }[];
      not?: {
        model?: string | string[];
        source?: string | string[];
        origin?:
          ('api' | 'otlp' | 'import' | 'gateway') | ('api' | 'otlp' | 'import' | 'gateway')[];
        session_id?: string | string[];
        trace_id?: string | string[];
        user_id?: string | string[];
        tags?: string | string[];
        metadata?: unknown;
        has_sources?: boolean;
        min_answer_chars?: number;
      };
    };
    verdict?: {
      verifier: string;
      outcome:
        | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')
        | ('passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped')[];
    };
  } | null;
  mapping: {
    [k: string]:
      | string
      | {
          value?: unknown;
        };
  } | null;
  sampling: number;
  sample_by: 'subject' | 'session';
  every: number | null;
  delay_seconds: number;
  daily_budget: number | null;
  daily_budget_usd: number | null;
  sources: {
    /**
     * @maxItems 20
     */
    blocks?: (
      | {
          by: 'tag';
          tag: string;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
      | {
          by: 'heading';
          heading: string;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
      | {
          by: 'delimiters';
          start: string;
          end?: string | null;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
      | {
          by: 'pattern';
          pattern: string;
          /**
           * @minItems 1
           * @maxItems 2
           */
          roles?: ('system' | 'user')[];
        }
    )[];
    documents?: boolean;
    earlier_messages?: boolean;
  } | null;
  enabled: boolean;
  spent_today: number | null;
  decisions: {
    [k: string]: number;
  };
  updated_at: string;
}
interface Backfill {
  from?: string;
  to?: string;
  dry_run?: boolean;
}
interface BackfillEstimate {
  matched: number;
  of: number;
  sampled: number;
  judge_calls: number;
  cost_usd: number | null;
}
interface ContractRequest {
  request: string;
  model?: string | null;
}
interface CodeContract {
  active: boolean;
  reason: string | null;
  confidence: 'low' | 'medium' | 'high';
  deliverables: string[];
  framework: string | null;
  hard_patterns: string[];
  soft_patterns: string[];
  patterns: {
    pattern: string;
    kind: 'hard' | 'soft';
    path: string | null;
  }[];
  expected_elements: {
    [k: string]: number;
  };
  gates: string[];
  prompt_block: string;
  tier: 'tiny' | 'small' | 'medium' | 'large' | 'xlarge';
  tier_assumed: boolean;
  pass_threshold: number;
  elapsed_ms: number;
}
interface Datasets {
  data: Dataset[];
  next_cursor: string | null;
}
interface Dataset {
  slug: string;
  name: string;
  description: string;
  version: number;
  items: number;
  splits: {
    [k: string]: number;
  };
  created_by: string;
  created_at: string;
  updated_at: string;
}
interface DatasetItemsBody {
  /**
   * @maxItems 10000
   */
  items: {
    id?: string | null;
    input?: unknown;
    context?:
      | string
      | (
          | {
              id?: string | null;
              content?: unknown;
            }
          | string
        )[]
      | null;
    tools?:
      | {
          id?: string | null;
          name?: string | null;
          arguments?: unknown;
          result?: unknown;
          error?: string | null;
          started_at?: string | null;
          duration_ms?: number | null;
        }[]
      | null;
    reference?: unknown;
    metadata?: {
      [k: string]: unknown;
    } | null;
    /**
     * @maxItems 100
     */
    tags?: string[] | null;
    split?: string | null;
  }[];
  mode?: 'append' | 'replace';
}
interface DatasetItemsChanged {
  version: number;
  items: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  duplicates: {
    index: number;
    id: string;
    same_as: string;
  }[];
  rejected: {
    index: number;
    code: string;
    message: string;
    id: string | null;
  }[];
}
interface DatasetVersions {
  data: DatasetVersion[];
  next_cursor: string | null;
}
interface DatasetVersion {
  version: number;
  items: number;
  added: number;
  changed: number;
  removed: number;
  created_by: string;
  created_at: string;
}
interface DatasetItems {
  data: DatasetItem[];
  next_cursor: string | null;
}
interface DatasetItem {
  id: string;
  input?: unknown;
  context?: unknown;
  tools?: unknown;
  reference?: unknown;
  metadata?: unknown;
  split: string | null;
  tags: string[];
  turn_id: string | null;
  selection: string | null;
  probability: number | null;
  version: number;
  created_by: string;
  created_at: string;
}
interface DatasetDifferences {
  data: DatasetDifference[];
  next_cursor: string | null;
}
interface DatasetDifference {
  id: string;
  change: 'added' | 'changed' | 'removed';
  before: DatasetItem & ({} | null);
  after: DatasetItem & ({} | null);
}
interface Decisions {
  data: Decision[];
  next_cursor: string | null;
}
interface Decision {
  subject_id: string;
  subject_kind: string;
  revision: number;
  rule: string;
  rule_version: number;
  verifier: string;
  state:
    | 'run'
    | 'filtered'
    | 'sampled_out'
    | 'duplicate'
    | 'bypassed'
    | 'over_budget'
    | 'blocked'
    | 'no_subject'
    | 'failed'
    | 'expired';
  reason: string | null;
  verification_id: string | null;
  settled: boolean;
  decided_at: string;
}
interface Deletion {
  id: string;
  kind: 'project' | 'session' | 'trace' | 'turn' | 'user';
  target: string;
  state: 'pending' | 'done';
  counts: {
    [k: string]: number;
  };
  created_by: string;
  created_at: string;
  done_at: string | null;
}
interface ScoreOfOthers {
  span_id: string | null;
  turn_id: string | null;
  name: string;
  value: number | null;
  label: string | null;
  explanation: string | null;
  measured_at: string | null;
}
interface FullTrace {
  id: string;
  trace: Trace & ({} | null);
  duration_ms: number | null;
  spans: Span[];
  turns: TraceTurn[];
  scores_of_others: ScoreOfOthers[];
  notes: {
    span_id: string;
    reason: string;
  }[];
}
interface Span {
  id: string;
  parent_id: string | null;
  name: string;
  role: string;
  start_ms: number | null;
  duration_ms: number | null;
  error: boolean;
  model: string | null;
  tool: string | null;
  tokens: number | null;
  cost_usd: number | null;
  flags: string[];
  content?: {
    input:
      | {
          role: string;
          content: string;
          tool_calls: {
            id: string | null;
            name: string | null;
            arguments: string;
          }[];
          tool_results: {
            call_id: string | null;
            result: string;
          }[];
        }[]
      | string
      | null;
    output:
      | {
          role: string;
          content: string;
          tool_calls: {
            id: string | null;
            name: string | null;
            arguments: string;
          }[];
          tool_results: {
            call_id: string | null;
            result: string;
          }[];
        }[]
      | string
      | null;
    tool: {
      name: string | null;
      call_id: string | null;
      arguments: string | null;
      result: string | null;
    } | null;
    documents: {
      id: string | null;
      content: string;
    }[];
    error: string | null;
  };
}
interface TraceTurn {
  id: string;
  span_id: string | null;
  revision: number;
  superseded: boolean;
  model: string | null;
  verdicts: {
    id: string;
    verifier: string;
    state:
      | 'passed'
      | 'failed'
      | 'needs_review'
      | 'steered'
      | 'inconclusive'
      | 'skipped'
      | 'pending'
      | 'quarantined';
    verdict: string | null;
    revision: number;
  }[];
}
interface Session {
  id: string;
  received_at: string;
  last_received_at: string;
  turns: number;
  traces: number;
  models: string[];
  cost_usd: number | null;
  cost_usd_at_least: boolean;
  verdicts: {
    state:
      | 'passed'
      | 'failed'
      | 'needs_review'
      | 'steered'
      | 'inconclusive'
      | 'skipped'
      | 'pending'
      | 'quarantined';
    count: number;
  }[];
}
interface Destinations {
  data: Destination[];
  next_cursor: null;
}
interface Destination {
  id: string;
  kind: 'webhook' | 'otlp' | 'slack' | 'email';
  name: string;
  url: string;
  sends: ('verdicts' | 'alerts' | 'reports')[];
  outcomes: string[];
  enabled: boolean;
  has_headers: boolean;
  actions_url: string | null;
  created_by: string;
  created_at: string;
  secret: string | null;
}
interface Deliveries {
  data: Delivery[];
  next_cursor: string | null;
}
interface Delivery {
  id: string;
  destination_id: string;
  verification_id: string | null;
  notice_id: string | null;
  subject: string | null;
  state: 'waiting' | 'delivered' | 'dead';
  attempts: number;
  due_at: string | null;
  last_error: string | null;
  created_at: string;
  delivered_at: string | null;
}
interface Job {
  id: string;
  kind: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  done: number;
  total: number | null;
  errors: {
    line: number;
    message: string;
  }[];
  error_count: number;
  result?: unknown;
  reason: string | null;
  created_at: string;
  finished_at: string | null;
}
interface Mission {
  id: string;
  tasks: number;
  counts: {
    passed: number;
    failed: number;
    needs_review: number;
    inconclusive: number;
    skipped: number;
    pending: number;
  };
  awaiting_review: number;
  cost: {
    work_usd: number | null;
    judging_usd: number;
    usd_at_least: boolean;
    share: number | null;
  };
  settings: MissionSettings;
  started_at: string;
  verdicts: Verification[];
  next_cursor: string | null;
}
interface MissionSettings {
  judge: string | null;
  review_above_usd: number | null;
}
interface Ended {
  id: string;
  verifications: number;
}
interface Outcomes {
  outcomes: {
    id?: string | null;
    subject_id?: string | null;
    /**
     * In place of `subject_id`: one of the subject's verifications.
     */
    verification_id?: string | null;
    turn_id?: string | null;
    success?: boolean | null;
    score?: number | null;
    /**
     * Where the outcome comes from, such as a program or a channel. Never counts as the rater.
     */
    source?: string | null;
    /**
     * Who labels. Another name than the key's own needs the scope `impersonate`.
     */
    rater?: string | null;
    note?: string | null;
    created_at?: string | null;
  }[];
}
interface OutcomesTaken {
  accepted: number;
  duplicates: number;
  rejected: {
    index: number;
    code: string;
    message: string;
  }[];
}
interface Labels {
  data: Label[];
  next_cursor: string | null;
}
interface Label {
  id: string;
  kind: 'outcome' | 'import' | 'override' | 'abstention' | 'grade' | 'action';
  subject_id: string;
  verification_id: string | null;
  verifier: string | null;
  verdict: string | null;
  success: boolean | null;
  score: number | null;
  grade: number | null;
  value: string | null;
  reason: string | null;
  rater: string;
  source: string | null;
  blind: boolean;
  undone_at: string | null;
  created_at: string;
}
interface Findings {
  data: Finding[];
  next_cursor: string | null;
}
interface Finding {
  id: string;
  state: 'open' | 'ended';
  kind:
    | 'catch_rate'
    | 'false_positive_rate'
    | 'retry_success'
    | 'corrected_pass_rate'
    | 'pass_rate_fell'
    | 'catch_rate_fell'
    | 'cost_rose'
    | 'volume_fell'
    | 'judge_failures_rose'
    | 'over_budget'
    | 'judge_outage'
    | 'breaker_open'
    | 'drift'
    | 'trust_lost'
    | 'canary_passed'
    | 'sandbox_down'
    | 'intake_stalled'
    | 'work_set_aside'
    | 'delivery_dead';
  title: string;
  series: string;
  name: string;
  severity: 'high' | 'medium' | 'low';
  value: number | null;
  limit: number | null;
  message: string;
  advice: string | null;
  began_at: string;
  ended_at: string | null;
  acknowledged: {
    by: string;
    at: string;
    reason: string | null;
  } | null;
}
interface VerifierMetrics {
  data: VerifierMeasures[];
}
interface VerifierMeasures {
  verifier: string;
  kind: string;
  catch_rate: Measure;
  false_positive_rate: Measure;
  false_rejection_rate: Measure;
  retry_success: Measure;
  agreement: Measure;
  kappa: Measure;
  override_rate: Measure;
  correlation: Measure;
  pass_rate: Measure;
  corrected_pass_rate: Measure;
  matrix: {
    caught: number;
    missed: number;
    false_rejections: number;
    right_passes: number;
  };
  undecided: number;
  unparseable: number;
  outweighing: {
    by: string;
    rulings: number;
    overruled: number;
    counted: number;
  }[];
  trust: Trust;
}
interface Measure {
  value: number | null;
  numerator: number | null;
  denominator: number;
  low: number | null;
  high: number | null;
  state: 'no_data' | 'on_target' | 'off_target' | 'alerting' | 'insufficient';
}
interface ModelMetrics {
  data: ModelMeasures[];
}
interface ModelMeasures {
  model: string;
  verifier: string;
  tier: 'tiny' | 'small' | 'medium' | 'large' | 'xlarge' | null;
  pass_rate: {
    value: number | null;
    numerator: number;
    denominator: number;
    low: number | null;
    high: number | null;
    state: 'no_data' | 'insufficient' | 'measured';
  };
  average: number | null;
  consecutive_failures: number;
  cost_usd: number | null;
  judging_cost_usd: number;
  last_at: string;
}
interface JudgeMetrics {
  data: (CategoricalJudge | GradingJudge)[];
  people: PeopleAgreement[];
  sources: string[];
}
interface CategoricalJudge {
  judge: string;
  dimension: string | null;
  measured: number;
  items: number;
  labelled: number;
  no_verdict: number;
  form: 'pass_fail' | 'category';
  presentations: string[];
  accuracy: Estimate;
  together: Measure;
  order_agreement: Measure;
  macro_precision: number | null;
  macro_recall: number | null;
  macro_f1: number | null;
  kappa: Estimate;
  classes: {
    word: string;
    is_true: number;
    said: number;
    right: number;
    precision: Measure;
    recall: Measure;
    f1: number | null;
  }[];
}
interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
  n: number;
}
interface GradingJudge {
  judge: string;
  dimension: string | null;
  measured: number;
  items: number;
  labelled: number;
  no_verdict: number;
  form: 'grade';
  pairs: number;
  kendall: Estimate;
  pearson: Estimate;
  spearman: Estimate;
  exact: Measure;
  within_1: Measure;
  mean_judge: number | null;
  mean_truth: number | null;
}
interface PeopleAgreement {
  dimension: string | null;
  form: 'pass_fail' | 'category' | 'grade';
  items: number;
  raters: number;
  labels: number;
  alpha: Estimate;
  pairs: {
    one: string;
    other: string;
    kappa: Estimate;
  }[];
  truths: {
    word: string;
    items: number;
  }[];
}
interface Override {
  id: string;
  verification_id: string;
  verdict: string | null;
  machine_verdict: string | null;
  reason: string | null;
  grade: number | null;
  action: string | null;
  rater: string;
  selection: string | null;
  probability: number | null;
  policy_version: string | null;
  policy: number | null;
  blind: boolean;
  created_at: string;
}
interface OverrideUndone {
  id: string;
  verification_id: string;
  undone_by: string;
}
interface Thresholds {
  data: Threshold[];
  next_cursor: null;
}
interface Threshold {
  verifier: string;
  key: string;
  value: number;
  source: 'default' | 'project';
  version: number;
  default: number;
  min: number;
  max: number;
  meaning: string;
  set: {
    value: number;
    scope: {
      mission_id: string | null;
      task_id: string | null;
    };
    version: number;
    reason: string | null;
    by: string;
    at: string;
  }[];
}
interface Simulation {
  verifier: string;
  key: string;
  scope: {
    mission_id: string | null;
    task_id: string | null;
  };
  from: string | null;
  to: string;
  current: number;
  labelled: number;
  good: number;
  bad: number;
  looked: number;
  unknown: number;
  recorded: {
    catch_rate: Measure;
    false_positive_rate: Measure;
    false_rejection_rate: Measure;
  };
  base: SimulatedValue;
  values: SimulatedValue[];
  suggestions: {
    rule:
      'false_positives' | 'false_negatives' | 'least_cost' | 'max_youden' | 'catch_within_limit';
    value: number | null;
    direction: 'lower' | 'raise';
    why: string;
  }[];
}
interface SimulatedValue {
  value: number;
  flips: {
    total: number;
    to_passed: number;
    to_failed: number;
    to_review: number;
    better: number;
    worse: number;
    sample: {
      verification_id: string;
      excerpt: string;
      score: number | null;
      before: {
        verdict: string | null;
        outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
      };
      after: {
        verdict: string | null;
        outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
      };
      good: boolean | null;
      settled_at: string;
    }[];
  };
  flips_of_all: Measure;
  catch_rate: Measure;
  false_positive_rate: Measure;
  false_rejection_rate: Measure;
  review_load: Measure;
  cost: number;
}
interface Prompts {
  data: PromptSummary[];
  next_cursor: null;
}
interface PromptSummary {
  slug: string;
  kind: string;
  title: string;
  description: string;
  output: string;
  production_version: number;
  latest_version: number;
  fell_back: {
    version: number;
    why: 'missing' | 'empty' | 'invalid';
    message: string;
  } | null;
}
interface Prompt {
  slug: string;
  kind: string;
  title: string;
  description: string;
  output: string;
  production_version: number;
  latest_version: number;
  fell_back: {
    version: number;
    why: 'missing' | 'empty' | 'invalid';
    message: string;
  } | null;
  variables: string[];
  optional: string[];
  labels: {
    [k: string]: number;
  };
  versions: PromptVersion[];
}
interface PromptVersion {
  version: number;
  message: string;
  created_by: string | null;
  created_at: string | null;
  labels: string[];
}
interface PromptLabel {
  slug: string;
  label: string;
  version: number;
}
interface StartPromptTrial {
  subjects?: number;
  order?: 'newest' | 'sample';
  seed?: number;
  judge?: string;
  against?: {
    version?: number;
    judge?: string;
  };
  held_out?: boolean;
  dry_run?: boolean;
}
interface PromptTrialPlan {
  slug: string;
  version: number;
  judge: string | null;
  production_version: number | null;
  against_judge: string | null;
  held_out: boolean;
  subjects: number;
  good: number;
  bad: number;
  looked_at: number;
  production_runs: number;
  judges: string[];
  why_none: string | null;
  tokens: number;
  cost_usd: number | null;
}
interface PromptTrial {
  id: string;
  slug: string;
  version: number;
  judge: string | null;
  production_version: number | null;
  against_judge: string | null;
  held_out: boolean;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  reason: string | null;
  done: number;
  total: number;
  tried: PromptTrialSide;
  production: PromptTrialSide & ({} | null);
  paired: {
    both_decided: number;
    better: number;
    worse: number;
    mid_p: number | null;
    exact_p: number | null;
  } | null;
  gate: PromptTrialGate;
  calls: number;
  tokens: number;
  cost_usd: number;
  unpriced: number;
  estimate_usd: number | null;
  reused: number;
  subjects: {
    subject_id: string;
    verification_id: string | null;
    good: boolean;
    truth_of: string;
    outcome: string;
    verdict: string | null;
    score: number | null;
    reason: string | null;
    judge: string | null;
    production: {
      source: 'stored' | 'run' | 'same';
      judge: string | null;
      outcome: string;
      verdict: string | null;
      score: number | null;
      reason: string | null;
    } | null;
    flip: boolean;
  }[];
  created_at: string;
  finished_at: string | null;
}
interface PromptTrialSide {
  agreement: Measure;
  catch_rate: Measure;
  false_positive_rate: Measure;
  false_rejection_rate: Measure;
  kappa: Measure;
  matrix: {
    caught: number;
    missed: number;
    false_rejections: number;
    right_passes: number;
  };
  undecided: number;
  inconclusive: number;
}
interface StartedExperiment {
  id: string;
  job_id: string | null;
  url: string;
}
interface Experiments {
  data: ExperimentListed[];
  next_cursor: string | null;
}
interface ExperimentListed {
  id: string;
  name: string;
  dataset: string;
  split: string | null;
  repetitions: number;
  target: {
    [k: string]: unknown;
  };
  verifiers: string[];
  branch: string | null;
  commit: string | null;
  baseline: string | null;
  state: 'open' | 'running' | 'done' | 'over_budget' | 'cancelled' | 'failed';
  reason: string | null;
  created_by: string;
  created_at: string;
  finished_at: string | null;
  url: string;
  counts: {
    rows: number;
    waiting: number;
    asked: number;
    answered: number;
    failed: number;
    lost: number;
  };
}
interface OutputsTaken {
  accepted: number;
  duplicates: number;
  rejected: {
    index: number;
    code: string;
    message: string;
  }[];
}
interface ExperimentComparison {
  baseline: string;
  experiments: {
    id: string;
    name: string;
    dataset: string;
    split: string | null;
    repetitions: number;
    target: {
      [k: string]: unknown;
    };
    verifiers: string[];
    branch: string | null;
    commit: string | null;
    baseline: string | null;
    state: 'open' | 'running' | 'done' | 'over_budget' | 'cancelled' | 'failed';
    reason: string | null;
    created_by: string;
    created_at: string;
    finished_at: string | null;
    url: string;
    cost_usd: {
      target: number;
      judges: number;
      total: number;
      unknown: number;
    };
    latency_ms: {
      p50: number | null;
      p95: number | null;
    };
    cost_difference: {
      value: number;
      low: number | null;
      high: number | null;
      p: number;
    } | null;
    latency_difference: {
      value: number;
      low: number | null;
      high: number | null;
      p: number;
    } | null;
  }[];
  comparisons: ExperimentDifference[];
  slices: ExperimentDifference[] | null;
  items: ComparedItems;
}
interface ExperimentDifference {
  slice: string | null;
  verifier: string;
  experiment: string;
  rates: {
    experiment: string;
    pass_rate: Measure;
    corrected_pass_rate: Measure;
    mean_score: MeanScore;
  }[];
  difference: {
    value: number;
    low: number | null;
    high: number | null;
  } | null;
  test: 'mcnemar' | 'bootstrap';
  p: number | null;
  p_adjusted: number | null;
  items: {
    improved: number;
    regressed: number;
    same: number;
    unpaired: number;
  };
  items_needed: {
    this_difference: number | null;
    five_points: number | null;
  };
  score_difference: {
    value: number;
    low: number | null;
    high: number | null;
    p: number;
    p_adjusted: number | null;
  } | null;
}
interface ComparedItems {
  data: ComparedItem[];
  next_cursor: string | null;
}
interface ComparedItem {
  item_id: string;
  verifier: string;
  input: string | null;
  change: 'regressed' | 'improved' | 'same' | 'unpaired';
  runs: {
    experiment: string;
    repetition: number;
    turn_id: string | null;
    outcome: string | null;
    score: number | null;
    output: string | null;
    verification_id: string | null;
  }[];
}
interface ExperimentResult {
  id: string;
  name: string;
  dataset: string;
  split: string | null;
  repetitions: number;
  target: {
    [k: string]: unknown;
  };
  verifiers: string[];
  branch: string | null;
  commit: string | null;
  baseline: string | null;
  state: 'open' | 'running' | 'done' | 'over_budget' | 'cancelled' | 'failed';
  reason: string | null;
  created_by: string;
  created_at: string;
  finished_at: string | null;
  url: string;
  counts: {
    rows: number;
    waiting: number;
    asked: number;
    answered: number;
    failed: number;
    lost: number;
    verdicts: number;
    verdicts_expected: number;
    unscored: number;
  };
  results: {
    verifier: string;
    pass_rate: Measure;
    corrected_pass_rate: Measure;
    mean_score: MeanScore;
    unscored: number;
  }[];
  cost_usd: {
    target: number;
    judges: number;
    total: number;
    unknown: number;
  };
  latency_ms: {
    p50: number | null;
    p95: number | null;
  };
  progress: {
    done: number;
    total: number;
    rate_per_s: number | null;
    seconds_left: number | null;
  };
}
interface ExperimentGateResult {
  passed: boolean;
  baseline: string | null;
  reasons: {
    code:
      | 'not_finished'
      | 'no_scored_rows'
      | 'pass_rate'
      | 'unscored'
      | 'no_baseline'
      | 'no_pairs'
      | 'regression'
      | 'inconclusive'
      | 'cost'
      | 'cost_unknown';
    severity: 'error' | 'warning';
    message: string;
    verifier: string | null;
    items_needed: number | null;
  }[];
}
interface ExperimentRows {
  data: ExperimentRow[];
  next_cursor: string | null;
}
interface ExperimentRow {
  item_id: string;
  repetition: number;
  state: 'waiting' | 'asked' | 'answered' | 'failed' | 'lost';
  turn_id: string | null;
  error: string | null;
  cost_usd: number | null;
  latency_ms: number | null;
  verdicts: {
    verifier: string;
    outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
    score: number | null;
    verification_id: string;
  }[];
}
interface Providers {
  data: Provider[];
  next_cursor: null;
}
interface Provider {
  name: string;
  kind: 'openai' | 'anthropic' | 'google' | 'openai_compatible';
  base_url: string;
  models: string[];
  enabled: boolean;
  prices: {
    model: string;
    usd_per_million: {
      input: number;
      output: number;
    };
  }[];
  key: string | null;
  source: 'project' | 'environment';
  updated_at: string | null;
}
interface Reports {
  data: ReportHead[];
  next_cursor: string | null;
}
interface ReportHead {
  id: string;
  schedule_id: string | null;
  title: string;
  from: string;
  to: string;
  state: 'waiting' | 'being_made' | 'made' | 'failed' | 'cancelled';
  reason: string | null;
  created_by: string;
  created_at: string;
  made_at: string | null;
}
interface Report {
  id: string;
  schedule_id: string | null;
  title: string;
  from: string;
  to: string;
  state: 'waiting' | 'being_made' | 'made' | 'failed' | 'cancelled';
  reason: string | null;
  created_by: string;
  created_at: string;
  made_at: string | null;
  content: {
    costs: {
      verdicts: number;
      verifying_usd: number;
      unpriced: number;
      judge_calls: number;
      tokens: number;
      costed: number;
      work_usd: number;
      verifying_costed_usd: number;
      share: number | null;
      over_budget: number;
      budget_share: number;
    };
    outcomes: {
      passed: number;
      failed: number;
      needs_review: number;
      steered: number;
      inconclusive: number;
      skipped: number;
      verifier: string;
    }[];
    models: {
      model: string | null;
      verifier: string;
      pass_rate: {
        value: number | null;
        numerator: number | null;
        denominator: number;
        low: number | null;
        high: number | null;
        state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
      };
      before: {
        numerator: number;
        denominator: number;
        difference: {
          value: number;
          low: number;
          high: number;
        } | null;
      };
    }[];
    models_left_out: number;
    label_debt: {
      open_items: number;
      oldest_at: string | null;
      by_verifier: {
        verifier: string;
        open: number;
        audit: number;
      }[];
      missing: {
        verifier: string;
        text: string;
        have: number | null;
        need: number | null;
      }[];
    };
    decisions: {
      run: number;
      not_run: number;
      reasons: {
        rule: string;
        state: string;
        count: number;
      }[];
    };
    alerts: {
      now: {
        kind: string;
        series: string;
        name: string;
        severity: string;
        message: string;
        advice?: string | null;
        since: string;
      }[];
      events: {
        kind: string;
        series: string;
        name: string;
        event: string;
        severity: string;
        message: string;
        found: number;
        at: string;
      }[];
      events_left_out: number;
    };
    changes: {
      at: string;
      by: string;
      action: string;
      target: string | null;
      detail: string;
    }[];
    changes_left_out: number;
    version: 1;
    from: string;
    to: string;
    before_from: string;
    made_at: string;
    is_over: boolean;
    verifiers: {
      verifier: string;
      kind: string;
      trust: {
        state: 'unmeasured' | 'provisional' | 'qualified' | 'stale';
        version: number | null;
        judge: string | null;
        gaps: {
          what: string;
          text: string;
          have: number | null;
          need: number | null;
        }[];
      };
      matrix: {
        caught: number;
        missed: number;
        false_rejections: number;
        right_passes: number;
      };
      undecided: number;
      contested: number;
      pending: number;
      rates: {
        pass_rate: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        corrected_pass_rate: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        catch_rate: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        false_rejection_rate: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        false_positive_rate: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        retry_success: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        agreement: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        kappa: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        override_rate: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        correlation?: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
      };
      corrected: {
        shown: 'ppi' | 'labels_only' | 'rogan_gladen' | null;
        why: string;
        disagree: boolean;
      };
      human: {
        items: number;
        raters: number;
        alpha: {
          value: number | null;
          low: number | null;
          high: number | null;
          n: number;
        };
        kappa: {
          value: number | null;
          low: number | null;
          high: number | null;
          n: number;
        };
      };
      before: {
        pass_rate: {
          numerator: number;
          denominator: number;
          difference: {
            value: number;
            low: number;
            high: number;
          } | null;
        };
        catch_rate: {
          numerator: number;
          denominator: number;
          difference: {
            value: number;
            low: number;
            high: number;
          } | null;
        };
        false_rejection_rate: {
          numerator: number;
          denominator: number;
          difference: {
            value: number;
            low: number;
            high: number;
          } | null;
        };
      };
      drift: {
        set: {
          id: string;
          name: string;
          items: number;
        };
        before: {
          run: string;
          at: string;
          verifier: string;
          judge: string | null;
        };
        after: {
          run: string;
          at: string;
          verifier: string;
          judge: string | null;
        };
        flips: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        better: number;
        worse: number;
        p: number | null;
        headline: {
          value: number | null;
          low: number | null;
          high: number | null;
          n: number;
        };
        judge_part: {
          value: number | null;
          low: number | null;
          high: number | null;
          n: number;
        };
        system_part: {
          value: number | null;
          low: number | null;
          high: number | null;
          n: number;
        };
      } | null;
      cost: {
        verdicts: number;
        verifying_usd: number;
        unpriced: number;
        judge_calls: number;
        tokens: number;
        costed: number;
        work_usd: number;
        verifying_costed_usd: number;
        share: number | null;
        over_budget: number;
      };
      caught_cost: {
        flagged: number;
        precision: {
          value: number | null;
          numerator: number | null;
          denominator: number;
          low: number | null;
          high: number | null;
          state: 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';
        };
        caught: number | null;
        usd: number | null;
      };
      outweighing: {
        by: string;
        rulings: number;
        overruled: number;
        counted: number;
        others: number;
        others_overruled: number;
      }[];
    }[];
    earlier: {
      id: string;
      made_at: string;
    }[];
    differences: string[];
  } | null;
}
interface GatewayRoutes {
  data: GatewayRoute[];
  next_cursor: null;
}
interface GatewayRoute {
  name: string;
  source: 'project' | 'provider' | 'environment';
  upstream?: string | null;
  api: 'openai' | 'anthropic';
  /**
   * @maxItems 50
   */
  allow_paths?: string[];
  quality_verifier?: {
    model?: string | null;
    frequency?: number;
    max_history?: number | null;
    max_consecutive_failures?: number;
    cooldown_seconds?: number;
    ttft_timeout_seconds?: number;
    tool_followup_weight?: number;
    min_eligible_turn?: number;
    control_share?: number;
    deferred?: boolean;
  };
  integrity?: {
    mode?: 'off' | 'observe' | 'hold';
    allow_user_figures?: boolean;
    deadline_ms?: number;
    sources_footer?: boolean;
    sources?: {
      /**
       * @maxItems 20
       */
      blocks?: (
        | {
            by: 'tag';
            tag: string;
            /**
             * @minItems 1
             * @maxItems 2
             */
            roles?: ('system' | 'user')[];
          }
        | {
            by: 'heading';
            heading: string;
            /**
             * @minItems 1
             * @maxItems 2
             */
            roles?: ('system' | 'user')[];
          }
        | {
            by: 'delimiters';
            start: string;
            end?: string | null;
            /**
             * @minItems 1
             * @maxItems 2
             */
            roles?: ('system' | 'user')[];
          }
        | {
            by: 'pattern';
            pattern: string;
            /**
             * @minItems 1
             * @maxItems 2
             */
            roles?: ('system' | 'user')[];
          }
      )[];
      documents?: boolean;
      earlier_messages?: boolean;
    };
  };
  verify?: {
    verifier: string;
    mode?: 'observe' | 'hold' | 'steer';
    frequency?: number;
  } | null;
  fail_closed?: boolean;
  first_token_seconds?: number;
  total_seconds?: number;
  base_url: string | null;
  provider: string | null;
  updated_at: string | null;
}
interface Verifiers {
  data: (Verifier | OwnVerifier)[];
  next_cursor: null;
}
interface Verifier {
  slug: string;
  kind: string;
  version: number;
  config: {
    [k: string]: boolean | number | string | string[];
  };
  fields: {
    key: string;
    type: 'choice' | 'choices' | 'number' | 'switch' | 'texts';
    name: string;
    meaning: string;
    default: boolean | number | string | string[];
    min: number | null;
    max: number | null;
    options:
      | {
          value: string;
          meaning: string;
        }[]
      | null;
  }[];
  versions: {
    version: number;
    by: string;
    at: string;
    changes: {
      key: string;
      from: boolean | number | string | string[];
      to: boolean | number | string | string[];
    }[];
  }[];
}
interface OwnVerifier {
  slug: string;
  kind: string;
  version: number;
  name: string;
  archived: boolean;
  overridden: string[];
  by: string;
  at: string;
  [k: string]: unknown;
}
interface StoredVerifier {
  slug: string;
  version: number;
  created: boolean;
  prompt: {
    version: number;
    state: 'production' | 'draft';
  } | null;
  overridden: string[];
}
interface VerifierDefinition {
  slug: string;
  kind: string;
  name: string;
  [k: string]: unknown;
}
interface TryBody {
  /**
   * @minItems 1
   * @maxItems 20
   */
  subjects: (
    | string
    | {
        [k: string]: unknown;
      }
  )[];
  draft?: {
    kind: string;
    [k: string]: unknown;
  };
  wait_ms?: number;
}
interface TriedVerdicts {
  data: {
    subject_id: string | null;
    [k: string]: unknown;
  }[];
  faults: {
    message: string;
    line: number | null;
  }[];
}
interface VerifyOwnBody {
  subject:
    | {
        target?: 'turn';
        id?: string | null;
        input?: unknown;
        output?: unknown;
        /**
         * @maxItems 50000
         */
        tools?:
          | {
              id?: string | null;
              name?: string | null;
              arguments?: unknown;
              result?: unknown;
              error?: string | null;
              started_at?: string | null;
              duration_ms?: number | null;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        context?:
          | {
              id?: string | null;
              content?: unknown;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        files?:
          | {
              path: string;
              content: string;
            }[]
          | null;
        reference?: unknown;
        model?: string | null;
        source?: string | null;
        session_id?: string | null;
        trace_id?: string | null;
        mission_id?: string | null;
        /**
         * @maxItems 50000
         */
        tags?: string[] | null;
        metadata?: {
          [k: string]: unknown;
        } | null;
        cost_usd?: number | null;
        tokens?: {
          input?: number | null;
          output?: number | null;
        } | null;
        latency_ms?: number | null;
        /**
         * @maxItems 50000
         */
        steps?:
          | {
              kind: 'llm' | 'tool' | 'agent' | 'retriever' | 'chain';
              name?: string | null;
              input?: unknown;
              output?: unknown;
              error?: string | null;
            }[]
          | null;
        verdicts?: {
          [k: string]: {
            outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
            score?: number | null;
            verdict?: string | null;
            verification_id?: string | null;
          };
        } | null;
      }
    | {
        target: 'trace';
        id?: string | null;
        input?: unknown;
        output?: unknown;
        /**
         * @maxItems 50000
         */
        tools?:
          | {
              id?: string | null;
              name?: string | null;
              arguments?: unknown;
              result?: unknown;
              error?: string | null;
              started_at?: string | null;
              duration_ms?: number | null;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        context?:
          | {
              id?: string | null;
              content?: unknown;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        files?:
          | {
              path: string;
              content: string;
            }[]
          | null;
        reference?: unknown;
        model?: string | null;
        source?: string | null;
        session_id?: string | null;
        trace_id?: string | null;
        mission_id?: string | null;
        /**
         * @maxItems 50000
         */
        tags?: string[] | null;
        metadata?: {
          [k: string]: unknown;
        } | null;
        cost_usd?: number | null;
        tokens?: {
          input?: number | null;
          output?: number | null;
        } | null;
        latency_ms?: number | null;
        /**
         * @maxItems 50000
         */
        steps?:
          | {
              kind: 'llm' | 'tool' | 'agent' | 'retriever' | 'chain';
              name?: string | null;
              input?: unknown;
              output?: unknown;
              error?: string | null;
            }[]
          | null;
        verdicts?: {
          [k: string]: {
            outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
            score?: number | null;
            verdict?: string | null;
            verification_id?: string | null;
          };
        } | null;
      }
    | {
        target: 'session';
        id?: string | null;
        input?: unknown;
        output?: unknown;
        /**
         * @maxItems 50000
         */
        tools?:
          | {
              id?: string | null;
              name?: string | null;
              arguments?: unknown;
              result?: unknown;
              error?: string | null;
              started_at?: string | null;
              duration_ms?: number | null;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        context?:
          | {
              id?: string | null;
              content?: unknown;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        files?:
          | {
              path: string;
              content: string;
            }[]
          | null;
        reference?: unknown;
        model?: string | null;
        source?: string | null;
        session_id?: string | null;
        trace_id?: string | null;
        mission_id?: string | null;
        /**
         * @maxItems 50000
         */
        tags?: string[] | null;
        metadata?: {
          [k: string]: unknown;
        } | null;
        cost_usd?: number | null;
        tokens?: {
          input?: number | null;
          output?: number | null;
        } | null;
        latency_ms?: number | null;
        /**
         * @maxItems 50000
         */
        steps?:
          | {
              kind: 'llm' | 'tool' | 'agent' | 'retriever' | 'chain';
              name?: string | null;
              input?: unknown;
              output?: unknown;
              error?: string | null;
            }[]
          | null;
        verdicts?: {
          [k: string]: {
            outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
            score?: number | null;
            verdict?: string | null;
            verification_id?: string | null;
          };
        } | null;
        /**
         * @maxItems 10000
         */
        turns?:
          | {
              target?: 'turn';
              id?: string | null;
              input?: unknown;
              output?: unknown;
              /**
               * @maxItems 50000
               */
              tools?:
                | {
                    id?: string | null;
                    name?: string | null;
                    arguments?: unknown;
                    result?: unknown;
                    error?: string | null;
                    started_at?: string | null;
                    duration_ms?: number | null;
                  }[]
                | null;
              /**
               * @maxItems 50000
               */
              context?:
                | {
                    id?: string | null;
                    content?: unknown;
                  }[]
                | null;
              /**
               * @maxItems 50000
               */
              files?:
                | {
                    path: string;
                    content: string;
                  }[]
                | null;
              reference?: unknown;
              model?: string | null;
              source?: string | null;
              session_id?: string | null;
              trace_id?: string | null;
              mission_id?: string | null;
              /**
               * @maxItems 50000
               */
              tags?: string[] | null;
              metadata?: {
                [k: string]: unknown;
              } | null;
              cost_usd?: number | null;
              tokens?: {
                input?: number | null;
                output?: number | null;
              } | null;
              latency_ms?: number | null;
              /**
               * @maxItems 50000
               */
              steps?:
                | {
                    kind: 'llm' | 'tool' | 'agent' | 'retriever' | 'chain';
                    name?: string | null;
                    input?: unknown;
                    output?: unknown;
                    error?: string | null;
                  }[]
                | null;
              verdicts?: {
                [k: string]: {
                  outcome:
                    'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
                  score?: number | null;
                  verdict?: string | null;
                  verification_id?: string | null;
                };
              } | null;
            }[]
          | null;
      }
    | {
        target: 'mission';
        id?: string | null;
        input?: unknown;
        output?: unknown;
        /**
         * @maxItems 50000
         */
        tools?:
          | {
              id?: string | null;
              name?: string | null;
              arguments?: unknown;
              result?: unknown;
              error?: string | null;
              started_at?: string | null;
              duration_ms?: number | null;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        context?:
          | {
              id?: string | null;
              content?: unknown;
            }[]
          | null;
        /**
         * @maxItems 50000
         */
        files?:
          | {
              path: string;
              content: string;
            }[]
          | null;
        reference?: unknown;
        model?: string | null;
        source?: string | null;
        session_id?: string | null;
        trace_id?: string | null;
        mission_id?: string | null;
        /**
         * @maxItems 50000
         */
        tags?: string[] | null;
        metadata?: {
          [k: string]: unknown;
        } | null;
        cost_usd?: number | null;
        tokens?: {
          input?: number | null;
          output?: number | null;
        } | null;
        latency_ms?: number | null;
        /**
         * @maxItems 50000
         */
        steps?:
          | {
              kind: 'llm' | 'tool' | 'agent' | 'retriever' | 'chain';
              name?: string | null;
              input?: unknown;
              output?: unknown;
              error?: string | null;
            }[]
          | null;
        verdicts?: {
          [k: string]: {
            outcome: 'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
            score?: number | null;
            verdict?: string | null;
            verification_id?: string | null;
          };
        } | null;
        /**
         * @maxItems 10000
         */
        turns?:
          | {
              target?: 'turn';
              id?: string | null;
              input?: unknown;
              output?: unknown;
              /**
               * @maxItems 50000
               */
              tools?:
                | {
                    id?: string | null;
                    name?: string | null;
                    arguments?: unknown;
                    result?: unknown;
                    error?: string | null;
                    started_at?: string | null;
                    duration_ms?: number | null;
                  }[]
                | null;
              /**
               * @maxItems 50000
               */
              context?:
                | {
                    id?: string | null;
                    content?: unknown;
                  }[]
                | null;
              /**
               * @maxItems 50000
               */
              files?:
                | {
                    path: string;
                    content: string;
                  }[]
                | null;
              reference?: unknown;
              model?: string | null;
              source?: string | null;
              session_id?: string | null;
              trace_id?: string | null;
              mission_id?: string | null;
              /**
               * @maxItems 50000
               */
              tags?: string[] | null;
              metadata?: {
                [k: string]: unknown;
              } | null;
              cost_usd?: number | null;
              tokens?: {
                input?: number | null;
                output?: number | null;
              } | null;
              latency_ms?: number | null;
              /**
               * @maxItems 50000
               */
              steps?:
                | {
                    kind: 'llm' | 'tool' | 'agent' | 'retriever' | 'chain';
                    name?: string | null;
                    input?: unknown;
                    output?: unknown;
                    error?: string | null;
                  }[]
                | null;
              verdicts?: {
                [k: string]: {
                  outcome:
                    'passed' | 'failed' | 'needs_review' | 'steered' | 'inconclusive' | 'skipped';
                  score?: number | null;
                  verdict?: string | null;
                  verification_id?: string | null;
                };
              } | null;
            }[]
          | null;
      };
  id?: string | null;
  task_id?: string | null;
  threshold?: number | null;
  verifier?: string | null;
  mode?: 'sync' | 'async';
  wait_ms?: number;
}
interface Sessions {
  data: Session[];
  next_cursor: string | null;
}
interface SessionTurns {
  data: Turn[];
  next_cursor: string | null;
}
