CREATE TABLE "anchor_items" (
	"project_id" text NOT NULL,
	"set_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"revision" integer NOT NULL,
	"content_hash" text NOT NULL,
	"excerpt" text NOT NULL,
	"good" boolean NOT NULL,
	"policy" integer NOT NULL,
	CONSTRAINT "anchor_items_project_id_set_id_ordinal_pk" PRIMARY KEY("project_id","set_id","ordinal")
);--> statement-breakpoint
CREATE TABLE "anchor_results" (
	"project_id" text NOT NULL,
	"run_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"outcome" text NOT NULL,
	"verdict" text,
	"score" double precision,
	"reason" text,
	"judge" text,
	"cost_usd" double precision NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "anchor_results_project_id_run_id_ordinal_pk" PRIMARY KEY("project_id","run_id","ordinal")
);--> statement-breakpoint
CREATE TABLE "anchor_runs" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"set_id" text NOT NULL,
	"verifier_version" integer NOT NULL,
	"prompts" text,
	"judge" text,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "anchor_runs_project_id_id_pk" PRIMARY KEY("project_id","id")
);--> statement-breakpoint
CREATE TABLE "anchor_sets" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"name" text NOT NULL,
	"fingerprint" text NOT NULL,
	"items" integer NOT NULL,
	"cron" text,
	"zone" text DEFAULT 'UTC' NOT NULL,
	"retired_at" timestamp with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "anchor_sets_project_id_id_pk" PRIMARY KEY("project_id","id")
);--> statement-breakpoint
CREATE TABLE "label_policies" (
	"project_id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"message" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "label_policies_project_id_verifier_slug_version_pk" PRIMARY KEY("project_id","verifier_slug","version")
);--> statement-breakpoint
CREATE TABLE "review_cursors" (
	"project_id" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"lot_key" text NOT NULL,
	"drawn_to" timestamp with time zone NOT NULL,
	"settled_to" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "review_items" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"verdict_id" text NOT NULL,
	"kind" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"verifier_version" integer NOT NULL,
	"subject_id" text NOT NULL,
	"queues" text[] NOT NULL,
	"reason" text,
	"priority" double precision NOT NULL,
	"probability" double precision,
	"raters" integer NOT NULL,
	"blind" boolean NOT NULL,
	"ruled_by" text[] DEFAULT '{}' NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reserved_by" text,
	"reserved_until" timestamp with time zone,
	"verdict_at" timestamp with time zone NOT NULL,
	"drawn_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "review_items_project_id_id_pk" PRIMARY KEY("project_id","id")
);--> statement-breakpoint
CREATE TABLE "review_settings" (
	"project_id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"audit_rate" double precision NOT NULL,
	"audit_rates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"uncertain_band" double precision NOT NULL,
	"raters" integer NOT NULL,
	"blind" boolean NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_settings_project_id_verifier_slug_pk" PRIMARY KEY("project_id","verifier_slug")
);--> statement-breakpoint
CREATE TABLE "judgement_accounts" (
	"project_id" text NOT NULL,
	"slug" text NOT NULL,
	"account" text NOT NULL,
	"ruled" bigint DEFAULT 0 NOT NULL,
	"overruled" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "judgement_accounts_project_id_slug_account_pk" PRIMARY KEY("project_id","slug","account")
);--> statement-breakpoint
CREATE TABLE "judgement_dues" (
	"project_id" text NOT NULL,
	"subject_id" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "judgement_dues_project_id_subject_id_due_at_pk" PRIMARY KEY("project_id","subject_id","due_at")
);--> statement-breakpoint
CREATE TABLE "judgement_rollups" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"origin" text NOT NULL,
	"slug" text NOT NULL,
	"series" text NOT NULL,
	"version" integer NOT NULL,
	"model" text NOT NULL,
	"judge" text NOT NULL,
	"policy" integer NOT NULL,
	"caught" bigint DEFAULT 0 NOT NULL,
	"missed" bigint DEFAULT 0 NOT NULL,
	"rejected" bigint DEFAULT 0 NOT NULL,
	"passed" bigint DEFAULT 0 NOT NULL,
	"undecided" bigint DEFAULT 0 NOT NULL,
	"unparseable" bigint DEFAULT 0 NOT NULL,
	"contested" bigint DEFAULT 0 NOT NULL,
	"ruled" bigint DEFAULT 0 NOT NULL,
	"overruled" bigint DEFAULT 0 NOT NULL,
	"decided" bigint DEFAULT 0 NOT NULL,
	"passes" bigint DEFAULT 0 NOT NULL,
	"queued" bigint DEFAULT 0 NOT NULL,
	"sample_caught" bigint DEFAULT 0 NOT NULL,
	"sample_missed" bigint DEFAULT 0 NOT NULL,
	"sample_rejected" bigint DEFAULT 0 NOT NULL,
	"sample_passed" bigint DEFAULT 0 NOT NULL,
	"sample_drawn" bigint DEFAULT 0 NOT NULL,
	"weight_caught" double precision DEFAULT 0 NOT NULL,
	"weight_missed" double precision DEFAULT 0 NOT NULL,
	"weight_rejected" double precision DEFAULT 0 NOT NULL,
	"weight_passed" double precision DEFAULT 0 NOT NULL,
	"weight_drawn" double precision DEFAULT 0 NOT NULL,
	"square_caught" double precision DEFAULT 0 NOT NULL,
	"square_missed" double precision DEFAULT 0 NOT NULL,
	"square_rejected" double precision DEFAULT 0 NOT NULL,
	"square_passed" double precision DEFAULT 0 NOT NULL,
	"square_drawn" double precision DEFAULT 0 NOT NULL,
	"pairs" bigint DEFAULT 0 NOT NULL,
	"good_pairs" bigint DEFAULT 0 NOT NULL,
	"score_sum" numeric DEFAULT '0' NOT NULL,
	"good_score_sum" numeric DEFAULT '0' NOT NULL,
	"score_square" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "judgement_rollups_project_id_day_origin_series_version_model_judge_policy_slug_pk" PRIMARY KEY("project_id","day","origin","series","version","model","judge","policy","slug")
);--> statement-breakpoint
CREATE TABLE "judgements" (
	"project_id" text NOT NULL,
	"origin" text NOT NULL,
	"id" text NOT NULL,
	"slug" text NOT NULL,
	"series" text NOT NULL,
	"version" integer NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"day" date NOT NULL,
	"subject_id" text NOT NULL,
	"verdict_id" text,
	"turn_id" text,
	"session_id" text,
	"model" text NOT NULL,
	"judge" text NOT NULL,
	"mission_id" text,
	"complexity" text,
	"tier" text,
	"machine" text,
	"word" text NOT NULL,
	"score" double precision,
	"threshold" double precision,
	"confidence" double precision,
	"cost_usd" double precision NOT NULL,
	"excerpt" text NOT NULL,
	"good" boolean,
	"truth_of" text,
	"rater" text,
	"selection" text,
	"contested" boolean NOT NULL,
	"policy" integer NOT NULL,
	"overruled" boolean,
	"account" text,
	"ruled_at" timestamp with time zone,
	"grade" integer,
	"probability" double precision,
	"unread" boolean NOT NULL,
	CONSTRAINT "judgements_project_id_origin_id_pk" PRIMARY KEY("project_id","origin","id")
);--> statement-breakpoint
CREATE TABLE "schedule_periods" (
	"project_id" text NOT NULL,
	"schedule" text NOT NULL,
	"period" timestamp with time zone NOT NULL,
	"job_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedule_periods_project_id_schedule_period_pk" PRIMARY KEY("project_id","schedule","period")
);--> statement-breakpoint
CREATE TABLE "verdict_populations" (
	"project_id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"day" date NOT NULL,
	"version" integer NOT NULL,
	"model" text NOT NULL,
	"judge" text NOT NULL,
	"self" boolean NOT NULL,
	"part" text NOT NULL,
	"passed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "verdict_populations_project_id_verifier_slug_day_version_model_judge_self_part_pk" PRIMARY KEY("project_id","verifier_slug","day","version","model","judge","self","part")
);--> statement-breakpoint
CREATE TABLE "verdict_spreads" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"verifier_slug" text NOT NULL,
	"model" text NOT NULL,
	"measure" text NOT NULL,
	"counts" jsonb NOT NULL,
	CONSTRAINT "verdict_spreads_project_id_day_verifier_slug_model_measure_pk" PRIMARY KEY("project_id","day","verifier_slug","model","measure")
);--> statement-breakpoint
CREATE INDEX "anchor_runs_set" ON "anchor_runs" USING btree ("project_id","set_id","started_at");--> statement-breakpoint
CREATE INDEX "anchor_sets_verifier" ON "anchor_sets" USING btree ("project_id","verifier_slug");--> statement-breakpoint
CREATE UNIQUE INDEX "review_items_verdict" ON "review_items" USING btree ("project_id","verdict_id");--> statement-breakpoint
CREATE INDEX "review_items_open" ON "review_items" USING btree ("project_id","priority","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "review_items_waiting" ON "review_items" USING btree ("project_id","verifier_slug","queues","blind") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "review_items_ruled" ON "review_items" USING btree ("project_id","id") WHERE state = 'open' and ruled_by <> '{}';--> statement-breakpoint
CREATE INDEX "review_items_beside" ON "review_items" USING btree ("project_id","verifier_slug","priority") WHERE state = 'open' and probability is null;--> statement-breakpoint
CREATE INDEX "review_items_reserved" ON "review_items" USING btree ("project_id","reserved_by") WHERE state = 'open' and reserved_by is not null;--> statement-breakpoint
CREATE INDEX "review_items_done" ON "review_items" USING btree ("project_id","done_at") WHERE state = 'done';--> statement-breakpoint
CREATE INDEX "review_items_audit" ON "review_items" USING btree ("project_id","verifier_slug","verdict_at") WHERE probability is not null;--> statement-breakpoint
CREATE INDEX "judgement_dues_due" ON "judgement_dues" USING btree ("project_id","due_at");--> statement-breakpoint
CREATE INDEX "judgements_series" ON "judgements" USING btree ("project_id","origin","series","at","id");--> statement-breakpoint
CREATE INDEX "judgements_subject" ON "judgements" USING btree ("project_id","subject_id");--> statement-breakpoint
CREATE INDEX "judgements_verdict" ON "judgements" USING btree ("project_id","verdict_id") WHERE verdict_id is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "foreign_scores_judge" ON "foreign_scores" USING btree ("project_id","model","subject_id") WHERE source = 'import';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "foreign_scores_judged" ON "foreign_scores" USING btree ("project_id","subject_id") WHERE source = 'import' and model is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_listed" ON "verdicts" USING btree ("project_id","verifier_slug","model","outcome","settled_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_mission" ON "verdicts" USING btree ("project_id","mission_id","verifier_slug","settled_at") WHERE mission_id is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_retries" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","subject_kind","subject_id","revision","verifier_version","outcome","verdict","cross_model","judge_model") WHERE (retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0'));--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "points" double precision;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "dimension" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "policy" integer;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "blind" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "content_key" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "excerpt_key" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "reuses" text;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "review_item_id" text;--> statement-breakpoint
ALTER TABLE "foreign_scores" ADD COLUMN "scale" text;--> statement-breakpoint
ALTER TABLE "foreign_scores" ADD COLUMN "dimension" text;--> statement-breakpoint
ALTER TABLE "foreign_scores" ADD COLUMN "category" text;--> statement-breakpoint
ALTER TABLE "foreign_scores" ADD COLUMN "presentation" text;--> statement-breakpoint
ALTER TABLE "foreign_scores" ADD COLUMN "unread" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "verdict_rollups" ADD COLUMN "self_passed" bigint;--> statement-breakpoint
ALTER TABLE "verdict_rollups" ADD COLUMN "self_failed" bigint;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "labels_excerpt" ON "labels" USING btree ("project_id","excerpt_key") WHERE excerpt_key is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "labels_reused" ON "labels" USING btree ("project_id","reuses") WHERE reuses is not null;--> statement-breakpoint
INSERT INTO judgement_dues (project_id, subject_id, due_at)
SELECT project_id, subject_id, now() FROM labels WHERE subject_id IS NOT NULL
UNION SELECT project_id, subject_id, now() FROM foreign_scores WHERE source = 'import' AND model IS NOT NULL AND subject_id IS NOT NULL
ON CONFLICT DO NOTHING;